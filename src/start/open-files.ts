import { readFileSync } from 'node:fs';

/** With fewer, node cannot load all modules of the api, and says that one of them is missing. */
const LEAST = 512;

/** Throws if the system lets a process open fewer files at once than an api needs. */
export function refuseFewOpenFiles(): void {
  const [, most] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  if (most !== undefined && Number(most) < LEAST)
    throw new Error(
      `a process may open ${most} files at once, and ${LEAST} are needed: raise ulimit -n (LimitNOFILE of systemd)`,
    );
}
