import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { fsync } from '../files/durable.js';

/** The list of the SHA-256 digests of all files but the manifest, in the format of `sha256sum --check`. */
export const SUMS = 'SHA256SUMS';
/** The same list while it grows; it still includes dropped files. */
const UNFINISHED_SUMS = `${SUMS}.unfinished`;

type Chunks = AsyncIterable<Uint8Array>;

/** Writes files below a folder and records the SHA-256 of each on the way. Memory use does not grow with their number. */
export class SummedFiles {
  readonly #dropped = new Set<string>();
  /** The folders below this one in which files were written. There are some hundreds at most. */
  readonly #folders = new Set<string>();

  private constructor(
    private readonly folder: string,
    private readonly sums: FileHandle,
  ) {}

  /** Begins a list of digests in a folder, which must exist. */
  static async in(folder: string): Promise<SummedFiles> {
    return new SummedFiles(folder, await open(join(folder, UNFINISHED_SUMS), 'w'));
  }

  /** Writes a file, flushes it to the disk and returns its size in bytes. If `content` fails, the file is removed. */
  async write(name: string, content: Chunks): Promise<number> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      await pipeline(
        content,
        async function* (chunks: Chunks) {
          for await (const chunk of chunks) {
            hash.update(chunk);
            bytes += chunk.length;
            yield chunk;
          }
        },
        createWriteStream(path, { mode: 0o600, flush: true }),
      );
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
    for (let below = dirname(name); below !== '.'; below = dirname(below)) this.#folders.add(below);
    await this.sums.write(lineOf(hash.digest('hex'), name));
    return bytes;
  }

  /** Removes a file. Its name must not be written again. */
  async drop(name: string): Promise<void> {
    this.#dropped.add(name);
    await rm(join(this.folder, name), { force: true });
  }

  /**
   * Writes the list of digests, and returns the SHA-256 of the list itself. Durable when it resolves, but for the entries
   * of the folder itself, which are left to the caller.
   */
  async finish(): Promise<string> {
    for (const folder of this.#folders) await fsync(join(this.folder, folder));
    await this.sums.close();
    const unfinished = join(this.folder, UNFINISHED_SUMS);
    const hash = createHash('sha256');
    await pipeline(
      this.#kept(unfinished),
      async function* (lines: AsyncIterable<string>) {
        for await (const line of lines) {
          hash.update(line);
          yield line;
        }
      },
      createWriteStream(join(this.folder, SUMS), { mode: 0o600, flush: true }),
    );
    await rm(unfinished);
    return hash.digest('hex');
  }

  /** Closes the open file, after success and failure alike. */
  async close(): Promise<void> {
    await this.sums.close();
  }

  async *#kept(path: string): AsyncGenerator<string> {
    for await (const { sum, name } of readSums(path)) if (!this.#dropped.has(name)) yield lineOf(sum, name);
  }
}

const lineOf = (sum: string, name: string) => `${sum}  ${name}\n`;

/** Reads a list of digests line by line. Throws if a line has another format. */
export async function* readSums(
  path: string,
): AsyncGenerator<{ readonly sum: string; readonly name: string }> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [, sum = '', name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (name === '') throw new Error(`${path} is damaged: ${line}`);
    yield { sum, name };
  }
}

/** Computes the SHA-256 of a file, in hex. */
export async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as Chunks) hash.update(chunk);
  return hash.digest('hex');
}
