import { open, type FileHandle } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { unlessAborted } from '../concurrency/unless-aborted.js';
import { DomainError } from '../domain/errors.js';

const CHUNK = 64 * 1024;

/** Limits of a file: writing more than `maxBytes` is refused (422), and `signal` aborts it. */
export interface GrowthLimits {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * A file that can be read while it is written. Slow readers do not delay the writer; if writing fails, reading fails too.
 */
export class GrowingFile {
  /** Resolves with the first bytes or at the end; rejects if writing fails before. */
  readonly begun: Promise<void>;
  /** Resolves with the size when everything is written. */
  readonly written: Promise<number>;
  #users = 1; // the writer and each reader
  #size = 0;
  #hasEnded = false;
  #failure: Error | undefined;
  #change = signalled();

  /** Creates a file and begins to write all of a source, which is opened after the file. */
  static async create(
    path: string,
    source: () => Promise<Readable>,
    limits: GrowthLimits,
  ): Promise<GrowingFile> {
    const file = await open(path, 'wx+', 0o600);
    try {
      return new GrowingFile(file, await openedUnlessAborted(source(), limits.signal), limits);
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
    // Readers get the error; not every caller observes both promises.
    this.written.catch(() => undefined);
    this.begun.catch(() => undefined);
  }

  /**
   * Streams the whole content from its beginning, as it grows; undefined if the file has neither writer nor reader any
   * more.
   */
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
        if (this.#size + chunk.length > maxBytes) throw tooLarge(maxBytes);
        await this.file.writeFile(chunk); // at the end of the last chunk
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

  /** Reads the next chunk; null at the end. */
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

/** Rejects once aborted, though a source may take long to open, and destroys one that is opened only then. */
async function openedUnlessAborted(opening: Promise<Readable>, signal: AbortSignal): Promise<Readable> {
  const source = await unlessAborted(opening, signal);
  if (source) return source;
  opening.then((late) => late.destroy()).catch(() => undefined);
  throw signal.reason;
}

const tooLarge = (maxBytes: number) =>
  new DomainError('invalid', 'archive.too_large', `an archive here has ${maxBytes} bytes at most`);

function signalled(): { readonly come: Promise<void>; readonly now: () => void } {
  let now: () => void = () => undefined;
  const come = new Promise<void>((resolve) => (now = resolve));
  return { come, now };
}
