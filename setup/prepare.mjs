import { existsSync } from 'node:fs';
import { alone } from './alone.mjs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { checkNodeVersion } from './node-version.mjs';
import { inProject, SetupError } from './project.mjs';
import { installChromium } from './system-packages.mjs';

/**
 * Brings a checkout to where its compiled programs run, and its tests where `browser` asks for that; ends the process
 * with a message, and `status`, where that cannot be done. Types are left to whoever says that they are not to be checked here. Where
 * there is nothing to compile, as in the image of the Dockerfile, nothing is missing.
 */
export function prepare({ lastLine, browser = false, check = true, status = 1 } = {}) {
  try {
    checkNodeVersion();
    if (!existsSync(inProject('tsconfig.json'))) return;
    alone(() => {
      install();
      if (browser) installChromium();
      build({ check });
    });
  } catch (error) {
    const isKnown = error instanceof SetupError || error.syscall !== undefined; // as where the disk is full
    if (!isKnown) throw error;
    console.error(error.message);
    if (lastLine) console.log(lastLine);
    process.exit(status);
  }
}
