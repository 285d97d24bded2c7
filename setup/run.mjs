// `npm run …`: prepares what is missing, then becomes the compiled program: `run.mjs dist/…/main.js arguments`.
import { pathToFileURL } from 'node:url';
import { prepare } from './prepare.mjs';
import { inProject } from './project.mjs';

const [program = '', ...args] = process.argv.slice(2);
const path = inProject(program);
process.argv = [process.execPath, path, ...args];
prepare();
await import(pathToFileURL(path));
