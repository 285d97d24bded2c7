import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { inProject } from './project.mjs';

/** Runs `work` while no other process prepares this checkout: two installations at once would remove each other's files. */
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
    work();
  } finally {
    closeSync(fd);
  }
}
