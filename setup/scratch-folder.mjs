import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';

const MEMORY = '/dev/shm';
/** Twice what the tests of one run have at a time, and as much for those who run them. */
const ROOM = 3 * 1024 ** 3;

/**
 * Where tests make their files, for TMPDIR: in memory where there is room, since a fifth of the suite's time is making
 * and removing files on a disk; undefined to have them where the system has such.
 */
export function scratchFolder() {
  if (process.env.TMPDIR !== undefined) return process.env.TMPDIR;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem()) >= ROOM && runsPrograms(MEMORY) ? MEMORY : undefined;
  } catch {
    return undefined; // there is none, or it is not for us
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
