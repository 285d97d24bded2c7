import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { inherited, inProject } from './project.mjs';

/**
 * Runs `work` while no other process prepares this checkout: two installations at once would remove each other's files.
 * What `work` runs inherits the lock, so that it is held until the last of that has ended, even if this process is killed.
 */
export function alone(work) {
  const fd = openSync(inProject('package.json'));
  try {
    // A lock belongs to the open file, which flock(1) shares with this process. Where there is none, nobody is kept out.
    const lock = (...options) =>
      spawnSync('flock', [...options, '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] }).status;
    if (lock('--nonblock') === 1) {
      console.error('waiting for another program that prepares this checkout');
      lock();
    }
    inherited.push(fd);
    work();
  } finally {
    inherited.length = 0;
    closeSync(fd);
  }
}
