import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import type { Binaries } from './binaries.js';
import type { SystemUser } from './server-user.js';

/** Runs `initdb` in `folder`, which must be empty and belong to `user`. Throws with its error message. */
export function createCluster(
  binaries: Binaries,
  folder: string,
  user: SystemUser | undefined,
  options: readonly string[],
): void {
  const { status, stderr, error } = spawnSync(
    binaries.initdb,
    ['-D', folder, '--encoding=UTF8', '--locale=C.UTF-8', '--no-instructions', ...options],
    { ...(user && { uid: user.uid, gid: user.gid }), cwd: '/', encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`initdb failed in ${folder}: ${error?.message ?? stderr.trim()}`);
}

/**
 * Starts the server of a cluster in the foreground, with its log on the child's stderr. The server shuts down by itself
 * when this process ends in any way. `inherited` is a file descriptor that the server keeps open.
 */
export function spawnServer(
  binaries: Binaries,
  folder: string,
  user: SystemUser | undefined,
  settings: Readonly<Record<string, string | number>>,
  inherited?: number,
): ChildProcess {
  const become = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  return spawn(
    'setpriv',
    [
      ...['--pdeathsig', 'INT'], // the "fast" shutdown: sessions are cut, data is flushed
      ...become,
      binaries.postgres,
      ...['-D', folder],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe', ...(inherited === undefined ? [] : [inherited])],
      detached: true,
    },
  );
}
