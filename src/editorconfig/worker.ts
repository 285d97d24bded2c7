import { parentPort } from 'node:worker_threads';
import { propertiesFor } from './properties.js';

// The worker thread that evaluates `.editorconfig` files, one after the other; see `EditorConfigs`.
parentPort?.on('message', ({ contents, path }: { contents: Uint8Array; path: string }) =>
  parentPort?.postMessage(propertiesFor(Buffer.from(contents), path)),
);
parentPort?.postMessage('ready');
