// `npm run …`: prepares what is missing, then becomes the compiled program: `run.mjs dist/…/main.js arguments`.
import { pathToFileURL } from 'node:url';
import { prepare } from './prepare.mjs';
import { inProject } from './project.mjs';

/** As of the programs themselves, of whose answers 1 is one. */
const NOT_DONE = 2;

const [program = '', ...args] = process.argv.slice(2);
const path = inProject(program);
process.argv = [process.execPath, path, ...args];
prepare({ status: NOT_DONE });
await import(pathToFileURL(path));
