import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, SetupError, succeeds } from './project.mjs';

/** What is needed to compile nodegit, by the name of the Debian package: a header or a program. */
const NEEDED = {
  'libkrb5-dev': { header: true },
  'libssl-dev': { header: true },
  python3: { program: 'python3' },
  make: { program: 'make' },
  'g++': { program: 'g++' },
};

/**
 * The names of Chromium's programs, in the order of preference. The first has no windows; it is as fast with two thirds of
 * the work. The variable `CHROMIUM` may give the path of another one.
 */
const CHROMIUM = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Installs the missing packages that are needed to compile nodegit. */
export function installSystemPackages() {
  const missing = Object.keys(NEEDED).filter((name) => !isInstalled(name));
  if (missing.length > 0) installPackages(missing, 'nodegit needs system packages that are missing');
}

/** Installs what only the tests need, if it is missing: the browser of the console, and curl, which the README's walks use. */
export function installTestPrograms() {
  const hasBrowser = process.env.CHROMIUM || CHROMIUM.some(isOnPath);
  const missing = [...(hasBrowser ? [] : [CHROMIUM[0]]), ...(isOnPath('curl') ? [] : ['curl'])];
  const why = 'the tests need curl, and Chromium or CHROMIUM with the path of one';
  if (missing.length > 0) installPackages(missing, why);
}

/** Installs packages if this user may do so. Otherwise throws `SetupError` with the command to run. */
function installPackages(missing, why) {
  const isRoot = process.getuid() === 0;
  const maySudo = !isRoot && succeeds('sudo', ['-n', 'true']);
  if (!succeeds('apt-get', ['--version']) || !(isRoot || maySudo)) {
    // A fresh Debian has no package lists before its first update.
    const command = `sudo apt-get update && sudo apt-get install -y ${missing.join(' ')}`;
    throw new SetupError(`${why}. Run this, then start again:\n\n  ${command}\n`);
  }
  console.error(`installing ${missing.join(', ')}`);
  const become = isRoot ? [] : ['sudo', '-n'];
  const apt = ['apt-get', '-q', '-y', '-o', 'Acquire::Retries=3'];
  const [program, ...args] = [...become, 'env', 'DEBIAN_FRONTEND=noninteractive', ...apt];
  run(program, [...args, 'update']);
  run(program, [...args, 'install', '--no-install-recommends', ...missing]);
}

function isInstalled(name) {
  const { program } = NEEDED[name];
  if (program) return succeeds(program, ['--version']);
  // On other systems than Debian nothing can be said about headers; the compiler will complain if they are missing.
  return !succeeds('dpkg-query', ['--version']) || succeeds('dpkg-query', ['-L', name]);
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
