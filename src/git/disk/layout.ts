import { join, resolve } from 'node:path';
import { exists } from '../../presence.js';
import { GitRepositoryMissing } from '../port/errors.js';

/** How the folder of repositories is laid out. */
export class Layout {
  readonly root: string;
  /** Objects that wait for being published, and repositories that are being made. */
  readonly staging: string;
  /** Stays empty: a home for programs. */
  readonly home: string;

  constructor(root: string) {
    this.root = resolve(root);
    this.staging = join(this.root, 'staging');
    this.home = join(this.root, 'home');
  }

  /** `{xx}/{id}.git`, where xx is the id's last two hex digits: 256 folders share the repositories evenly. */
  pathOf(id: number): string {
    if (!Number.isSafeInteger(id) || id < 1) throw new RangeError(`no repository can have the id ${id}`);
    return join(this.root, (id % 256).toString(16).padStart(2, '0'), `${id}.git`);
  }

  async exists(id: number): Promise<boolean> {
    return await exists(join(this.pathOf(id), 'HEAD'));
  }

  /** The path of a repository that is there; refuses with `GitRepositoryMissing`. */
  async existing(id: number): Promise<string> {
    if (await this.exists(id)) return this.pathOf(id);
    throw new GitRepositoryMissing(id);
  }
}
