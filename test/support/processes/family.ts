import { readdirSync, readFileSync } from 'node:fs';

export type Role = 'supervisor' | 'projector' | 'dispatcher' | 'api' | 'starter' | 'keeper' | 'postgres';

/** A running process of one installation; those below PostgreSQL and the like have no role. */
export interface Member {
  readonly pid: number;
  readonly parent: number;
  readonly role: Role | undefined;
}

const ROLES: readonly (readonly [Role, RegExp])[] = [
  ['supervisor', /\/src\/start\/main\.js\0/],
  ['projector', /\/projections\/main\.js\0/],
  ['dispatcher', /\/src\/webhooks\/main\.js\0/],
  ['api', /\/src\/main\.js\0/],
  ['starter', /\/program\/starter\/main\.js\0/],
  ['keeper', /\/postgres\/keeper\.js\0/],
  ['postgres', /\/bin\/postgres\0-D\0/],
];

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly ofThisData: boolean;
}

/** Every process that serves this `DATA_DIR`, and all that they have started. */
export function familyOf(dataDir: string): Member[] {
  const processes = readdirSync('/proc').flatMap((name) =>
    /^\d+$/.test(name) ? look(Number(name), dataDir) : [],
  );
  const family = new Set(processes.filter(({ ofThisData }) => ofThisData).map(({ pid }) => pid));
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes
    .filter(({ pid }) => family.has(pid))
    .map(({ pid, parent, command }) => ({
      pid,
      parent,
      role: ROLES.find(([, pattern]) => pattern.test(command))?.[0],
    }));
}

function look(pid: number, dataDir: string): Process[] {
  try {
    const [, state = '', parent = ''] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    if (pid === process.pid || /[ZX]/.test(state)) return [];
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    const ofThisData =
      command.includes(`${dataDir}\0`) || command.includes(`${dataDir}/`) || environs(pid, dataDir);
    return [{ pid, parent: Number(parent), command, ofThisData }];
  } catch {
    return []; // it has just ended
  }
}

function environs(pid: number, dataDir: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`DATA_DIR=${dataDir}`);
  } catch {
    return false; // of another user
  }
}
