import { open, type FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';

const CHUNK = 64 * 1024;

/** More came than may. */
export class GrewTooLarge extends Error {
  override readonly name = 'GrewTooLarge';
}

/** Beyond `maxBytes` writing fails with `GrewTooLarge`; `signal` breaks it off. */
export interface GrowthLimits {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * A file while it is written, and those who read along: how slowly they read does not hold up the writer. On any failure
 * readers fail too.
 */
export class GrowingFile {
  /** Resolves with the first bytes, or at the end; rejects where it fails before. */
  readonly begun: Promise<void>;
  /** Resolves with the size once all is written. */
  readonly written: Promise<number>;
  #users = 1; // who writes, and each who reads
  #size = 0;
  #hasEnded = false;
  #failure: Error | undefined;
  #change = signalled();

  /** Begins to write all of a source, which is asked for once there is a new file for it. */
  static async create(
    path: string,
    source: () => Promise<Readable>,
    limits: GrowthLimits,
  ): Promise<GrowingFile> {
    const file = await open(path, 'wx+', 0o600);
    try {
      return new GrowingFile(file, await source(), limits);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private constructor(
    private readonly file: FileHandle,
    source: Readable,
    limits: GrowthLimits,
  ) {
    this.written = this.#write(addAbortSignal(limits.signal, source), limits);
    this.begun = this.#begin();
    // Whoever reads is told; not everybody looks at both.
    this.written.catch(() => undefined);
    this.begun.catch(() => undefined);
  }

  /** The whole content from its beginning, as it comes; undefined where nobody wrote or read any more. */
  read(): Readable | undefined {
    if (this.#users === 0) return undefined;
    this.#users += 1;
    let position = 0;
    const stream: Readable = new Readable({
      highWaterMark: CHUNK,
      read: () => {
        this.#chunkAt(position).then(
          (chunk) => {
            position += chunk?.length ?? 0;
            stream.push(chunk);
          },
          (error: unknown) => stream.destroy(error as Error),
        );
      },
      destroy: (error, done) => {
        this.#leave().then(() => done(error), done);
      },
    });
    return stream;
  }

  async #write(source: Readable, { maxBytes }: GrowthLimits): Promise<number> {
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        if (this.#size + chunk.length > maxBytes) throw new GrewTooLarge(`more than ${maxBytes} bytes`);
        await this.file.writeFile(chunk); // where the last one ended
        this.#size += chunk.length;
        this.#change.now();
        this.#change = signalled();
      }
      return this.#size;
    } catch (error) {
      throw (this.#failure = error as Error);
    } finally {
      this.#hasEnded = true;
      this.#change.now();
      await this.#leave();
    }
  }

  async #begin(): Promise<void> {
    if (this.#size === 0 && !this.#hasEnded) await this.#change.come;
    if (this.#failure) throw this.#failure;
  }

  /** Null at the end. */
  async #chunkAt(position: number): Promise<Buffer | null> {
    while (position >= this.#size && !this.#hasEnded) await this.#change.come;
    if (this.#failure) throw this.#failure;
    if (position >= this.#size) return null;
    const { bytesRead, buffer } = await this.file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position);
    return buffer.subarray(0, bytesRead);
  }

  async #leave(): Promise<void> {
    this.#users -= 1;
    if (this.#users === 0) await this.file.close();
  }
}

function signalled(): { readonly come: Promise<void>; readonly now: () => void } {
  let now: () => void = () => undefined;
  const come = new Promise<void>((resolve) => (now = resolve));
  return { come, now };
}
