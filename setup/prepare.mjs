import { existsSync } from 'node:fs';
import { alone } from './alone.mjs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { checkNodeVersion } from './node-version.mjs';
import { inProject, SetupError } from './project.mjs';
import { installTestPrograms } from './system-packages.mjs';

/**
 * Installs and compiles what this checkout lacks for running its programs; with `tests`, also what all its tests need.
 * Without `check` the types are not checked. If that fails, prints the reason, then `lastLine` on standard output, and ends
 * the process with `status`. Does nothing where there are no sources, as in the image of the Dockerfile.
 */
export function prepare({ lastLine, tests = false, check = true, status = 1 } = {}) {
  try {
    checkNodeVersion();
    if (!existsSync(inProject('tsconfig.json'))) return;
    alone(() => {
      install();
      if (tests) installTestPrograms();
      build({ check });
    });
  } catch (error) {
    const isKnown = error instanceof SetupError || error.syscall !== undefined; // such as a full disk
    if (!isKnown) throw error;
    console.error(error.message);
    if (lastLine) console.log(lastLine);
    process.exit(status);
  }
}
