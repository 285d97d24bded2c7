import type { Copies } from './port/copies.js';
import type { Downloads } from './port/downloads.js';
import type { History } from './port/history.js';
import type { Objects } from './port/objects.js';
import type { Programs } from './port/programs.js';
import type { Refs } from './port/refs.js';
import type { Staging } from './port/staging.js';
import type { RepositoryStorage } from './port/storage.js';

/**
 * The repositories of git. Every method but those of storage refuses with `GitRepositoryMissing` where the
 * repository is not on disk. Hashes are taken as they are: whoever has a caller's word asks `resolve` first.
 */
export interface Git extends RepositoryStorage, Refs, Objects, History, Downloads, Copies, Programs {
  /** Room for new objects of a repository. Must be published or discarded; what a crash leaves is swept at start. */
  stage(id: number): Promise<Staging>;
}
