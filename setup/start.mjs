// `npm start`: prepares what is missing, then becomes the supervisor, so that signals reach it directly.
import { prepare } from './prepare.mjs';

prepare();
await import('../dist/src/start/main.js');
