import type { Copies } from './port/copies.js';
import type { Downloads } from './port/downloads.js';
import type { History } from './port/history.js';
import type { Objects } from './port/objects.js';
import type { Programs } from './port/programs.js';
import type { Refs } from './port/refs.js';
import type { Staging } from './port/staging.js';
import type { RepositoryStorage } from './port/storage.js';

/**
 * The git repositories. Every method except those of storage rejects with `GitRepositoryMissing` if the repository is not
 * on disk. Hashes must be complete; text from callers has to go through `resolve` first.
 */
export interface Git extends RepositoryStorage, Refs, Objects, History, Downloads, Copies, Programs {
  /** Opens a staging area for new objects. It must be published or discarded; what a crash leaves is swept. */
  stage(id: number): Promise<Staging>;
}
