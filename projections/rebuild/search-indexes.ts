import type { Queryable } from '../../src/database/queryable.js';
import { sql } from '../../src/database/sql.js';

/**
 * A trigram index, for searches within texts. Updating it row by row costs about twice as much as creating it once all rows
 * are there.
 */
interface SearchIndex {
  readonly name: string;
  readonly definition: string;
}

/** Drops a schema's search indexes; returns the statements that create them again. */
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
