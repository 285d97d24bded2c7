import { spawnSync } from 'node:child_process';

/** A user of the operating system. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the user that runs the server. PostgreSQL refuses to run as root; for root this is the system user `tallyforge`,
 * created on first use, or `postgres` or `nobody` if users cannot be created. Undefined if this process is not root: it
 * runs the server as itself.
 */
export function serverUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = findUser('tallyforge') ?? makeUser('tallyforge') ?? findUser('postgres') ?? findUser('nobody');
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no other user to run it as');
  return user;
}

/** Tells whether `user` may execute or enter `path`, by trying. Throws if nothing can be run as that user. */
export function canReach({ uid, gid }: SystemUser, path: string): boolean {
  const { status, error } = spawnSync('test', ['-x', path], { uid, gid, cwd: '/' });
  if (error) throw new Error(`nothing can be run as the user of the database: ${error.message}`);
  return status === 0;
}

function findUser(name: string): SystemUser | undefined {
  const [uid, gid] = [idOf('-u', name), idOf('-g', name)];
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

function idOf(kind: '-u' | '-g', name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [kind, name], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

function makeUser(name: string): SystemUser | undefined {
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    name,
  ]);
  return findUser(name); // another process may have created it at the same moment
}
