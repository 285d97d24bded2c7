import { MIGRATION_FOLDERS } from '../start/prepare.js';

/** What comes back by itself: leases and states of projectors, and caches. */
const DERIVED: ReadonlySet<string> = new Set(['projector', 'cache']);

/** The folders of migrations whose tables hold what cannot be derived. A new one is kept until it is named above. */
export const keptMigrations: readonly string[] = MIGRATION_FOLDERS.filter((folder) => !DERIVED.has(folder));

/** The schemas that those migrations make. */
export const keptSchemas: readonly string[] = keptMigrations.map((folder) => folder.replaceAll('-', '_'));
