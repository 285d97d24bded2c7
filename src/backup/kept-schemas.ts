import { MIGRATION_FOLDERS } from '../start/prepare.js';

/** Migration folders whose data is derived and not backed up: leases and states of projectors, and caches. */
const DERIVED: ReadonlySet<string> = new Set(['projector', 'cache']);

/** The migration folders whose tables hold data that cannot be derived. New folders count as such until named above. */
export const keptMigrations: readonly string[] = MIGRATION_FOLDERS.filter((folder) => !DERIVED.has(folder));

/** The schemas that these migrations create. */
export const keptSchemas: readonly string[] = keptMigrations.map((folder) => folder.replaceAll('-', '_'));
