import { join, resolve } from 'node:path';
import { exists } from '../../files/presence.js';
import { GitRepositoryMissing } from '../port/errors.js';

/** The layout of the folder with all repositories. */
export class Layout {
  readonly root: string;
  /** The folder for objects before they are published, and for repositories that are being created or removed. */
  readonly staging: string;
  /** An empty folder that serves git programs as home. */
  readonly home: string;

  constructor(root: string) {
    this.root = resolve(root);
    this.staging = join(this.root, 'staging');
    this.home = join(this.root, 'home');
  }

  /** Returns `{xx}/{id}.git` below the root; xx is the id's last two hex digits, which spreads repositories evenly. */
  pathOf(id: number): string {
    if (!Number.isSafeInteger(id) || id < 1) throw new RangeError(`no repository can have the id ${id}`);
    return join(this.root, (id % 256).toString(16).padStart(2, '0'), `${id}.git`);
  }

  /** Tells whether the repository is on disk. */
  async exists(id: number): Promise<boolean> {
    return await exists(join(this.pathOf(id), 'HEAD'));
  }

  /** Returns the path of a repository. Rejects with `GitRepositoryMissing` if it does not exist. */
  async existing(id: number): Promise<string> {
    if (await this.exists(id)) return this.pathOf(id);
    throw new GitRepositoryMissing(id);
  }
}
