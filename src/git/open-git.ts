import { chmod, mkdir, realpath, stat } from 'node:fs/promises';
import { copiesOf } from './copies/copies.js';
import { Layout } from './disk/layout.js';
import { sweepScratch } from './disk/scratch.js';
import { storageOf } from './disk/storage.js';
import { downloadsOf } from './downloads/downloads.js';
import type { Git } from './git.js';
import { eachUnlessRemoved } from './missing.js';
import { GitUnfit } from './port/errors.js';
import { historyOf } from './history/history.js';
import { Handles } from './nodegit/handles.js';
import { objectsOf } from './objects/objects.js';
import { GitProgram } from './program/git-program.js';
import { remembering } from './remembering.js';
import { refsOf } from './refs/refs.js';
import { stage } from './staging/stage.js';

/** The oldest supported git: the first that compresses archives by itself. */
const LEAST_VERSION = [2, 38] as const;

/**
 * Opens the repositories below a folder, which is created if it is missing and closed to other users of the machine. Other
 * processes may use it at the same time. Rejects with `GitUnfit` if git is missing or too old.
 */
export async function openGit({ folder }: { readonly folder: string }): Promise<Git> {
  const layout = new Layout(folder);
  await closed(layout.root);
  await mkdir(layout.home, { recursive: true });
  await mkdir(layout.staging, { recursive: true });
  await sweepScratch(layout);

  const program = new GitProgram({ home: layout.home });
  await checkVersion(program, layout.home);
  const parts = { layout, program, handles: new Handles() };
  const storage = storageOf(parts);
  const objects = objectsOf(parts);
  const history = historyOf(parts, objects);
  return {
    ...storage,
    ...eachUnlessRemoved(layout, {
      ...refsOf(parts),
      ...objects,
      ...history,
      ...remembering(layout, { ...objects, ...history }),
      ...downloadsOf(parts),
      ...copiesOf(parts, storage),
      stage: (id: number) => stage(parts, id),
    }),
    root: await realpath(layout.root),
    start: async (id, args, options) =>
      program.start(options?.pool ?? 'transport', await layout.existing(id), args, options),
  };
}

/** Creates a folder for this user alone, or closes an existing one to all but its user and group. */
async function closed(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode, uid } = await stat(folder);
  if ((mode & 0o007) !== 0 && uid === process.getuid?.()) await chmod(folder, mode & 0o7770);
}

/** The statuses of what starts git if the program cannot be run, or is not there. */
const NOT_RUN = [126, 127];

async function checkVersion(program: GitProgram, home: string): Promise<void> {
  const { code, stdout } = await program.run(home, ['version'], { codes: [0, ...NOT_RUN] });
  const version = stdout.toString().trim();
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  const [leastMajor, leastMinor] = LEAST_VERSION;
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw new GitUnfit(code === 0 ? `${version} is too old` : 'git cannot be run', LEAST_VERSION.join('.'));
}
