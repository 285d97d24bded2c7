import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliCompress, createBrotliDecompress } from 'node:zlib';

/**
 * Where what earlier releases left is kept: `backup-<version>`, a back-up, and `data-<version>.tar.br`, a `DATA_DIR`
 * that was stopped in order.
 */
export const FIXTURES = new URL('../../../test/fixtures/', import.meta.url);

/** What PostgreSQL writes about the machine it runs on, and makes anew. */
const OF_THE_MACHINE = ['postmaster.opts', 'current_logfiles', 'log'];

/** Packs a stopped `DATA_DIR`; whose files they were, and where, is left out. */
export async function packData(dataDir: string, file: string): Promise<void> {
  const options = ['--create', '--dereference', '--sort=name', '--owner=0', '--group=0', '--numeric-owner'];
  options.push(...OF_THE_MACHINE.map((name) => `--exclude=./postgres/${name}`));
  const tar = spawn('tar', [...options, '--directory', dataDir, '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.all([ended(tar), pipeline(tar.stdout, smallest(), createWriteStream(file))]);
}

/** A cluster has every system catalogue several times, megabytes apart. */
const smallest = () =>
  createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  });

/** Unpacks one into an empty folder, as whoever runs this. */
export async function unpackData(file: string, dataDir: string): Promise<void> {
  // It reads on past the end of the archive, so that nobody writes to a pipe that is closed.
  const options = ['--extract', '--no-same-owner', '--ignore-zeros'];
  const tar = spawn('tar', [...options, '--directory', dataDir], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  await Promise.all([ended(tar), pipeline(createReadStream(file), createBrotliDecompress(), tar.stdin)]);
}

async function ended(program: ReturnType<typeof spawn>): Promise<void> {
  const [code] = (await once(program, 'close')) as [number | null];
  if (code !== 0) throw new Error(`tar ended with ${String(code)}`);
}
