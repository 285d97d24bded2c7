import { SetupError } from './project.mjs';

/** Node 20.19 is the first that this code and its packages run on. */
export function checkNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetupError(`Node ${process.versions.node} is too old: install Node 20.19 or later`);
}
