import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../context.js';

/** `console/` of this checkout, as seen from `dist/src/http/console`. */
export const CONSOLE = fileURLToPath(new URL('../../../../console/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly tag: string;
}

/** Scripts, styles and images of the console, by name; each is read when first asked for, and kept. */
export class Assets {
  readonly #paths = new Map([...ownFiles(), ...plotFiles()]);
  readonly #read = new Map<string, Promise<Asset>>();

  has(name: string): boolean {
    return this.#paths.has(name);
  }

  /** Browsers ask each time whether theirs is the newest, so that page and scripts are always of one version. */
  async send(ctx: Context, name: string): Promise<void> {
    const { type, bytes, tag } = await this.#asset(name);
    ctx.status = 200;
    ctx.set({ ETag: tag, 'Cache-Control': 'no-cache', 'Content-Type': type });
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = bytes;
  }

  #asset(name: string): Promise<Asset> {
    let asset = this.#read.get(name);
    if (!asset) {
      asset = load(this.#paths.get(name) ?? '');
      asset.catch(() => this.#read.delete(name));
      this.#read.set(name, asset);
    }
    return asset;
  }
}

async function load(path: string): Promise<Asset> {
  const bytes = await readFile(path);
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type: TYPES[extname(path)] ?? '', bytes, tag };
}

const ownFiles = (): [string, string][] =>
  readdirSync(CONSOLE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && Object.hasOwn(TYPES, extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(CONSOLE, path), path]);

function plotFiles(): [string, string][] {
  const folder = dirname(createRequire(import.meta.url).resolve('uplot'));
  return ['uPlot.esm.js', 'uPlot.min.css'].map((name) => [`vendor/${name}`, join(folder, name)]);
}
