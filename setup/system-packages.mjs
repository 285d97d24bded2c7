import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, SetupError, succeeds } from './project.mjs';

/** What compiling nodegit needs, by the name of the Debian package: a header, or a program. */
const NEEDED = {
  'libkrb5-dev': { header: true },
  'libssl-dev': { header: true },
  python3: { program: 'python3' },
  make: { program: 'make' },
  'g++': { program: 'g++' },
};

/**
 * The names under which a Chromium is found, the first of them without windows: as quick with two thirds of the work.
 * `CHROMIUM` may give the path of another.
 */
const CHROMIUM = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** Installs what nodegit is compiled with, where that is missing. */
export function installSystemPackages() {
  const missing = Object.keys(NEEDED).filter((name) => !isInstalled(name));
  if (missing.length > 0) installPackages(missing, 'nodegit needs system packages that are missing');
}

/** Installs the browser that the tests of the console run in, where there is none. */
export function installChromium() {
  if (process.env.CHROMIUM || CHROMIUM.some(isOnPath)) return;
  installPackages([CHROMIUM[0]], 'the tests need Chromium, or CHROMIUM with the path of one');
}

/** Installs packages where this user may, else throws the one command to run. */
function installPackages(missing, why) {
  const isRoot = process.getuid() === 0;
  const maySudo = !isRoot && succeeds('sudo', ['-n', 'true']);
  if (!succeeds('apt-get', ['--version']) || !(isRoot || maySudo)) {
    // A new Debian has no lists of packages before its first update.
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
  // Elsewhere than on Debian nobody can say: the compiler will.
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
