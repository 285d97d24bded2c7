import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProject, run } from './project.mjs';

const SOURCES = ['src', 'projections', 'test', 'bench'];
/** Beside the TypeScript of `node_modules/.bin`, which dependency-cruiser and tests need. */
export const COMPILER = 'typescript-7/bin/tsc';
/** What the compiler knows of what it wrote. */
const BUILD_INFO = 'dist/.tsbuildinfo';
const STAMP = inProject('dist/.tallyforge-stamp');

/**
 * Compiles to dist/ unless it was compiled from exactly these files; without looking at types where `check` is false,
 * which takes a tenth of the time.
 */
export function build({ check = true } = {}) {
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  console.error('compiling');
  // What was cut off, or failed, is not known to be there: the compiler would not write it again.
  if (!existsSync(STAMP)) rmSync(inProject(BUILD_INFO), { force: true });
  rmSync(STAMP, { force: true });
  removeOrphans();
  run(process.execPath, [`node_modules/${COMPILER}`, '-p', '.', ...(check ? [] : ['--noCheck'])]);
  mkdirSync(inProject('dist'), { recursive: true });
  writeFileSync(STAMP, wanted);
}

/** Size and time of every source: reading them all would cost a start more than it may take. */
function fingerprint() {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((folder) => filesIn(folder, '.ts'));
  for (const file of [...files.sort(), 'tsconfig.json', 'package-lock.json']) {
    const { size, mtimeMs } = statSync(inProject(file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** What was compiled from a file that is gone must not run any more, least of all a test. */
function removeOrphans() {
  for (const file of SOURCES.flatMap((folder) => filesIn(`dist/${folder}`, '.js'))) {
    const source = file.replace(/^dist\//, '').replace(/\.js$/, '.ts');
    if (existsSync(inProject(source))) continue;
    for (const output of [file, `${file}.map`]) rmSync(inProject(output), { force: true });
    rmSync(inProject(BUILD_INFO), { force: true });
  }
}

function filesIn(folder, extension) {
  if (!existsSync(inProject(folder))) return [];
  return readdirSync(inProject(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => join(entry.parentPath, entry.name).slice(inProject('').length));
}
