import type { Parts } from '../parts.js';
import { NEWLINE, splitRecords } from '../program/records.js';

const DELETE = Buffer.from('delete ');
/** Ends the name. The empty old value means that the ref is deleted wherever it points to. */
const WHEREVER = Buffer.from('\0\0');

/** Deletes the refs below these prefixes whose names are not accepted; bytes that are no UTF-8 are passed as U+FFFD. */
export async function dropRefs(
  { program }: Pick<Parts, 'program'>,
  path: string,
  prefixes: readonly string[],
  accepts: (name: string) => boolean,
): Promise<void> {
  const orders: Buffer[] = [];
  const take = (name: Buffer) => {
    if (!accepts(name.toString())) orders.push(DELETE, Buffer.from(name), WHEREVER);
  };
  const args = ['for-each-ref', '--format=%(refname)', ...prefixes];
  await program.stream(path, args, {}, splitRecords(NEWLINE, take));
  if (orders.length === 0) return;
  await program.run(path, ['update-ref', '-z', '--stdin'], { input: Buffer.concat(orders) });
}
