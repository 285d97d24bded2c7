import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';

const MEMORY = '/dev/shm';
/** The free memory that is required, in bytes: twice the size of all files of a test run, and as much for its processes. */
const ROOM = 3 * 1024 ** 3;

/**
 * Returns the folder for the tests' temporary files, as a value for TMPDIR: one in memory if there is room, because
 * creating and removing files on a disk takes a fifth of the suite's time. Undefined for the system's default.
 */
export function scratchFolder() {
  if (process.env.TMPDIR !== undefined) return process.env.TMPDIR;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ROOM && runsPrograms(MEMORY) ? MEMORY : undefined;
  } catch {
    return undefined; // the folder does not exist, or may not be used
  }
}

function runsPrograms(folder) {
  const program = `${folder}/tallyforge-probe-${process.pid}`;
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(program, { force: true });
  }
}
