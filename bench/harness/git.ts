import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
};

/** Runs git and waits; rejects with what it said. */
export async function git(folder: string, ...args: readonly string[]): Promise<void> {
  const child = spawn('git', args, { cwd: folder, env: ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`git ${args[0]}: ${words}`);
}

/** Fills an empty repository's `main` with commits of one new file each, of bytes that nothing compresses. */
export async function fillRepository(folder: string, commits: number, bytesEach: number): Promise<void> {
  const child = spawn('git', ['-c', 'core.compression=0', 'fast-import', '--quiet'], {
    cwd: folder,
    env: ENVIRONMENT,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const closed = once(child, 'close');
  await pipeline(Readable.from(importStream(commits, bytesEach)), child.stdin);
  const [code] = (await closed) as [number];
  if (code !== 0) throw new Error(`git fast-import: ${code}`);
}

function* importStream(commits: number, bytesEach: number): Generator<Buffer> {
  for (let number = 0; number < commits; number++) {
    const message = `commit ${number}`;
    const path = `${number % 100}/${number}`;
    yield Buffer.from(
      `commit refs/heads/main\ncommitter bench <bench@example.org> ${1_767_225_600 + number} +0000\n` +
        `data ${message.length}\n${message}\nM 100644 inline ${path}\ndata ${bytesEach}\n`,
    );
    yield randomBytes(bytesEach);
    yield Buffer.from('\n');
  }
}
