import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { inOrder } from '../../domain/repositories/refs.js';
import { unlessGone } from '../../files/presence.js';
import { refLocks } from '../disk/loose-refs.js';
import { GitRefsBusy, GitRefsRefused } from '../port/errors.js';
import { isHash, NO_OBJECT, type Hash } from '../port/hash.js';
import type { RunningProgram } from '../port/programs.js';
import type { PreparedRefs, RefChange } from '../port/refs.js';
import type { GitProgram } from '../program/git-program.js';

/**
 * The age from which a lock file of git counts as left by a crash, because nobody else changes refs meanwhile and no change
 * takes that long. The same holds for one as far in the future, from before the clock was set back.
 */
const LEFT_BEHIND_MS = 10_000;

/** The maximum number of refs that are synced to disk one by one; more are packed into one file, and that is synced. */
export const MANY = 64;

/** How long prepared refs stay locked if neither `commit` nor `abort` is called. */
const HELD_MS = 5 * 60 * 1000;

/** See `Refs.prepareRefs`. */
export async function prepare(
  program: GitProgram,
  path: string,
  changes: readonly RefChange[],
): Promise<PreparedRefs> {
  const [first = [], second] = inOrder(changes);
  if (!second) return prepareAtOnce(program, path, first);
  // In between, what is to be made has a name of its own, so that nobody takes its objects for garbage.
  const aside = `refs/aside-${randomUUID()}`;
  const made = second.filter(({ before }) => before === null);
  const keep = made.map(({ after }, index) => ({ ref: `${aside}/${index}`, before: null, after }));
  const drop = keep.map(({ ref, after }) => ({ ref, before: after, after: null }));
  const prepared = await prepareAtOnce(program, path, [...first, ...keep]);
  return {
    async commit() {
      await prepared.commit();
      await (await prepareAtOnce(program, path, [...second, ...drop])).commit();
    },
    abort: () => prepared.abort(),
  };
}

async function prepareAtOnce(
  program: GitProgram,
  path: string,
  changes: readonly RefChange[],
): Promise<PreparedRefs> {
  const commands = changes.map(commandOf);
  try {
    return await begin(program, path, commands);
  } catch (error) {
    if (!isLocked(error) || !(await removeLeftLocks(path))) throw error;
    return await begin(program, path, commands);
  }
}

function commandOf({ ref, before, after }: RefChange): string {
  const named = (hash: Hash | null) => {
    if (hash !== null && !isHash(hash)) throw new GitRefsRefused(`${hash} is no hash`);
    return hash ?? NO_OBJECT;
  };
  if (!ref.startsWith('refs/') || ref.includes('\0')) throw new GitRefsRefused(`${ref} is no ref`);
  const [from, to] = [named(before), named(after)];
  if (from === to) return `verify ${ref}\0${from}\0`;
  return to === NO_OBJECT ? `delete ${ref}\0${from}\0` : `update ${ref}\0${to}\0${from}\0`;
}

async function begin(program: GitProgram, path: string, commands: readonly string[]): Promise<PreparedRefs> {
  const isMany = commands.length > MANY;
  const running = await program.start('refs', path, ['update-ref', '--no-deref', '--stdin', '-z'], {
    ...(isMany && { config: { 'core.fsync': 'objects' } }),
  });
  const answers = answersOf(running);
  running.stdin.write(['start\0', ...commands, 'prepare\0'].join(''));
  await answers.hear('prepare: ok');
  // The end of its input makes git release its locks. It must not be killed, because they would stay then.
  const timer = setTimeout(() => running.stdin.end(), HELD_MS).unref();
  const end = async (command: 'commit' | 'abort') => {
    clearTimeout(timer);
    if (running.stdin.writable) running.stdin.end(`${command}\0`);
    await answers.hear(`${command}: ok`);
    await Promise.allSettled([running.ended]); // it has done it, whatever became of it or of what started it
  };
  return {
    async commit() {
      await end('commit');
      if (isMany) await program.run(path, ['pack-refs', '--all']);
    },
    abort: () => end('abort'),
  };
}

/** Reads what `update-ref` answers to its commands. It ends if it refuses one. */
function answersOf({ stdout, ended }: RunningProgram) {
  let said = '';
  stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return {
    async hear(answer: string): Promise<void> {
      const heard = new Promise<void>((resolve) => {
        const look = () => {
          if (!said.includes(answer)) return;
          stdout.off('data', look);
          resolve();
        };
        stdout.on('data', look);
        look();
      });
      const over = ended.then(({ stderr }) => {
        if (!said.includes(answer)) throw refusal(stderr.trim() || `no "${answer}" was heard`);
      });
      await Promise.race([heard, over]);
    },
  };
}

/** git's complaints about an existing lock or a full disk, which may pass. */
const PASSES =
  /\.lock': File exists|packed-refs\.new: File exists|couldn't write|unable to write|No space left|Disk quota exceeded/i;

const refusal = (message: string): GitRefsRefused =>
  PASSES.test(message) ? new GitRefsBusy(message) : new GitRefsRefused(message);

const isLocked = (error: unknown) =>
  error instanceof GitRefsRefused &&
  /unable to create .*(?:\.lock'|packed-refs\.new): File exists/i.test(error.message);

/** Removes old locks; tells whether there were any. */
async function removeLeftLocks(path: string): Promise<boolean> {
  let removed = false;
  for (const lock of await refLocks(path)) {
    const facts = await unlessGone(stat(lock));
    if (!facts || Math.abs(Date.now() - facts.mtimeMs) < LEFT_BEHIND_MS) continue;
    await rm(lock, { force: true });
    removed = true;
  }
  return removed;
}
