import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

/** The digests of all files but the manifest, as `sha256sum --check` reads them. */
export const SUMS = 'SHA256SUMS';
/** The same while it grows, with those of files that were taken back. */
const UNFINISHED_SUMS = `${SUMS}.unfinished`;

type Chunks = AsyncIterable<Uint8Array>;

/** Writes files below a folder, and notes the SHA-256 of each as it goes by. Memory does not grow with their number. */
export class SummedFiles {
  readonly #dropped = new Set<string>();

  private constructor(
    private readonly folder: string,
    private readonly sums: FileHandle,
  ) {}

  static async in(folder: string): Promise<SummedFiles> {
    return new SummedFiles(folder, await open(join(folder, UNFINISHED_SUMS), 'w'));
  }

  /** Writes a file down to the disk; gives its bytes. Nothing of it is left where `content` fails. */
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
    await this.sums.write(lineOf(hash.digest('hex'), name));
    return bytes;
  }

  /** Takes a file back; none of that name is written again. */
  async drop(name: string): Promise<void> {
    this.#dropped.add(name);
    await rm(join(this.folder, name), { force: true });
  }

  /** Writes the list of digests, and gives its own. */
  async finish(): Promise<string> {
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

  /** Closes what is open, whatever came of it. */
  async close(): Promise<void> {
    await this.sums.close();
  }

  async *#kept(path: string): AsyncGenerator<string> {
    for await (const { sum, name } of readSums(path)) if (!this.#dropped.has(name)) yield lineOf(sum, name);
  }
}

const lineOf = (sum: string, name: string) => `${sum}  ${name}\n`;

/** The digests that a list holds, one after the other. */
export async function* readSums(
  path: string,
): AsyncGenerator<{ readonly sum: string; readonly name: string }> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [, sum = '', name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (name === '') throw new Error(`${path} is damaged: ${line}`);
    yield { sum, name };
  }
}

/** SHA-256 of a file, in hex. */
export async function sumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as Chunks) hash.update(chunk);
  return hash.digest('hex');
}
