import type { Queryable } from '../../src/database/database.js';
import { sql } from '../../src/database/sql.js';

/**
 * An index of fragments of text (trigrams). Only searches read it, and row by row it costs about twice what it does when
 * it is made of all rows at once.
 */
interface SearchIndex {
  readonly name: string;
  readonly definition: string;
}

/** Drops a schema's search indexes; answers with the statements that make them again. */
export async function putSearchIndexesAside(db: Queryable, schema: string): Promise<string[]> {
  const indexes = await db.rows<SearchIndex>(sql`
    select c.relname as name, pg_get_indexdef(c.oid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema}
      and exists (select from pg_opclass where oid = any(i.indclass) and opcname = 'gin_trgm_ops')
    order by 1`);
  for (const { name } of indexes) await db.rows(`drop index "${schema}"."${name}"`);
  return indexes.map(({ definition }) => definition);
}
