import { existsSync } from 'node:fs';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { checkNodeVersion } from './node-version.mjs';
import { inProject, SetupError } from './project.mjs';
import { installChromium } from './system-packages.mjs';

/**
 * Brings a checkout to where its compiled programs run, and its tests where `browser` asks for that; ends the process
 * with a message where that cannot be done. Types are left to whoever says that they are not to be checked here. Where
 * there is nothing to compile, as in the image of the Dockerfile, nothing is missing.
 */
export function prepare({ lastLine, browser = false, check = true } = {}) {
  try {
    checkNodeVersion();
    if (!existsSync(inProject('tsconfig.json'))) return;
    install();
    if (browser) installChromium();
    build({ check });
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(error.message);
    if (lastLine) console.log(lastLine);
    process.exit(1);
  }
}
