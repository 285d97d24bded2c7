import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../context.js';
import { fixedContent, sendFixed, type FixedContent } from '../answers/fixed-content.js';

/** The path of `console/` in this checkout, found relative to `dist/src/http/console`. */
export const CONSOLE = fileURLToPath(new URL('../../../../console/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The console's scripts, styles and images by name. Each is read on the first request for it, and kept. */
export class Assets {
  readonly #paths = new Map([...ownFiles(), ...plotFiles()]);
  readonly #read = new Map<string, Promise<FixedContent>>();

  has(name: string): boolean {
    return this.#paths.has(name);
  }

  async send(ctx: Context, name: string): Promise<void> {
    sendFixed(ctx, await this.#asset(name));
  }

  #asset(name: string): Promise<FixedContent> {
    let asset = this.#read.get(name);
    if (!asset) {
      asset = load(this.#paths.get(name) ?? '');
      asset.catch(() => this.#read.delete(name));
      this.#read.set(name, asset);
    }
    return asset;
  }
}

const load = async (path: string): Promise<FixedContent> =>
  fixedContent(TYPES[extname(path)] ?? '', await readFile(path));

const ownFiles = (): [string, string][] =>
  readdirSync(CONSOLE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && Object.hasOwn(TYPES, extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(CONSOLE, path), path]);

function plotFiles(): [string, string][] {
  const folder = dirname(createRequire(import.meta.url).resolve('uplot'));
  return ['uPlot.esm.js', 'uPlot.min.css'].map((name) => [`vendor/${name}`, join(folder, name)]);
}
