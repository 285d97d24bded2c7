import { spawnSync } from 'node:child_process';
import { root, run } from './project.mjs';

/** Taken where the npm that is there is too old. */
const NEWER = 'npm@10.9.9';

/** Runs npm in the project. Throws `SetupError` if it fails. */
export function npm(args, env) {
  if (!isTooOld()) run('npm', args, env);
  // From elsewhere, because the old one would look at the packages of the project first.
  else
    run('npm', ['exec', '--yes', `--package=${NEWER}`, '--', 'npm', `--prefix=${root}`, ...args], env, '/');
}

/**
 * Tells whether npm is older than 9.3, as that of Debian 13 is. It cannot read a lock in which a package of git is replaced
 * by one of the registry (`overrides` of package.json), and says that there is none.
 */
function isTooOld() {
  const { stdout } = spawnSync('npm', ['--version'], { cwd: root, encoding: 'utf8' });
  const [major, minor] = (stdout ?? '').split('.').map(Number);
  return major < 9 || (major === 9 && minor < 3);
}
