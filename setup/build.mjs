import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProject, run } from './project.mjs';

const SOURCES = ['src', 'projections', 'test', 'bench'];
/** The compiler. `node_modules/.bin` has an older TypeScript, which dependency-cruiser and tests need. */
export const COMPILER = 'typescript-7/bin/tsc';
/** The compiler's own record of what it has written. */
const BUILD_INFO = 'dist/.tsbuildinfo';
const STAMP = inProject('dist/.tallyforge-stamp');

/**
 * Compiles to dist/ unless dist/ was compiled from exactly the present files. Without `check` the types are not checked,
 * which takes a tenth of the time.
 */
export function build({ check = true } = {}) {
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  console.error('compiling');
  // After a build that failed or was killed, files may be missing that the compiler's record lists as written.
  if (!existsSync(STAMP)) rmSync(inProject(BUILD_INFO), { force: true });
  rmSync(STAMP, { force: true });
  removeOrphans();
  run(process.execPath, [`node_modules/${COMPILER}`, '-p', '.', ...(check ? [] : ['--noCheck'])]);
  mkdirSync(inProject('dist'), { recursive: true });
  writeFileSync(STAMP, wanted);
}

/** Hashes the size and time of every source file, because reading them all would make every start too slow. */
function fingerprint() {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((folder) => filesIn(folder, '.ts'));
  for (const file of [...files.sort(), 'tsconfig.json', 'package-lock.json']) {
    const { size, mtimeMs } = statSync(inProject(file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Removes the output of source files that no longer exist, because such a program or test must not run any more. */
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
