import { spawnSync } from 'node:child_process';

/** A user of the operating system. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Whom the server runs as: PostgreSQL refuses to run as root, so root makes the system user `tallyforge` once, or takes
 * `postgres` or `nobody` where users cannot be made. Undefined for everybody else, who runs it as themselves.
 */
export function serverUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = findUser('tallyforge') ?? makeUser('tallyforge') ?? findUser('postgres') ?? findUser('nobody');
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no other user to run it as');
  return user;
}

/** Whether `user` may run, or enter, `path`; judged by trying. */
export function canReach(user: SystemUser, path: string): boolean {
  const { uid, gid } = user;
  return spawnSync('test', ['-x', path], { uid, gid, cwd: '/' }).status === 0;
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
  return findUser(name); // another process may have made it at the same moment
}
