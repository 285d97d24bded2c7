import type { Position } from '../../src/event-store/event-store.js';
import { ReadYourWrites, type ReadYourWritesOptions } from '../../src/read-your-writes/read-your-writes.js';

/** Whether the read models of a database are sure to show a position, by its URL. */
const coming = new Map<string, (position: Position) => Promise<boolean>>();

const original = Object.getOwnPropertyDescriptor(ReadYourWrites.prototype, 'wait');
const wait = original?.value as ReadYourWrites['wait'];
ReadYourWrites.prototype.wait = async function (position, ...limits) {
  const { database } = (this as unknown as { readonly options: ReadYourWritesOptions }).options;
  while (!(await wait.call(this, position, ...limits)))
    if (!this.connected || !(await coming.get(database.url)?.(position))) return false;
  return true;
};

/**
 * Has every api of this process wait on for what the read models of a database are sure to show, however slow the machine:
 * it would answer without it after some seconds. Gives what ends that.
 */
export function waitOnFor(
  databaseUrl: string,
  isComing: (position: Position) => Promise<boolean>,
): () => void {
  coming.set(databaseUrl, isComing);
  return () => void coming.delete(databaseUrl);
}
