import { SetupError } from './project.mjs';

/** Throws `SetupError` if Node is older than 20.19, the first version on which this code and its packages run. */
export function checkNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new SetupError(`Node ${process.versions.node} is too old: install Node 20.19 or later`);
}
