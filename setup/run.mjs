// `npm run …`: prepares what is missing, then becomes the compiled program: `run.mjs dist/…/main.js arguments`.
import { pathToFileURL } from 'node:url';
import { prepare } from './prepare.mjs';
import { inProject } from './project.mjs';

/** The exit status if a program cannot be prepared, as the programs themselves have it: 1 is a result of some of them. */
const NOT_DONE = 2;

const [program = '', ...args] = process.argv.slice(2);
const path = inProject(program);
process.argv = [process.execPath, path, ...args];
prepare({ status: NOT_DONE });
await import(pathToFileURL(path));
