import type { RefChange } from '../domain/repositories/refs.js';
import { NO_OBJECT } from '../git/port/hash.js';
import type { ArrivedPush } from './judge.js';
import { FLUSH, linePacket, packet } from './pkt-line.js';
import { WireBroken, type Wire } from './wire.js';

/** The maximum size of all lines together, enough for some 300,000 refs and options. */
const MAX_SAID_BYTES = 32 * 1024 * 1024;

/** Reads the push from `hooks/pre-receive`, to its end: the hook reads no answer earlier. Refuses what it cannot parse. */
export async function arrival(wire: Wire, repositoryId: number): Promise<ArrivedPush | undefined> {
  const quarantinePath = await wire.line();
  if (quarantinePath === undefined) return undefined;
  const lines: string[] = [];
  let bytes = 0;
  for await (const line of wire.lines()) {
    bytes += line.length;
    if (bytes <= MAX_SAID_BYTES) lines.push(line);
  }
  if (bytes > MAX_SAID_BYTES) {
    refuse(wire, 'too many refs for one push');
    return undefined;
  }
  const said = (kind: 'option ' | 'change ') =>
    lines.filter((line) => line.startsWith(kind)).map((line) => line.slice(kind.length));
  try {
    return { repositoryId, changes: said('change ').map(changeOf), options: said('option '), quarantinePath };
  } catch (error) {
    if (!(error instanceof WireBroken)) throw error;
    refuse(wire, 'the name of a ref holds the end of a line');
    return undefined;
  }
}

/** Tells the hook, and so the user, why the push is refused. */
export const refuse = (wire: Wire, reason: string) => {
  wire.send(`Tallyforge: ${reason.replaceAll('\n', ' ')}\n`);
};

/** The moves of refs that `hooks/proc-receive` orders. */
export interface Orders {
  readonly changes: readonly RefChange[];
  /** Whether all are to be made or none. */
  readonly atomic: boolean;
}

/** Reads the orders of `hooks/proc-receive`. Throws `WireBroken` if it speaks another protocol. */
export async function ordersOf(wire: Wire): Promise<Orders> {
  const [version = '', features = ''] = ((await wire.packet()) ?? '').split('\0');
  if (version !== 'version=1' || (await wire.packet()) !== undefined)
    throw new WireBroken('another protocol');
  wire.send(packet('version=1\n') + FLUSH);
  const changes: RefChange[] = [];
  for await (const line of wire.packets()) changes.push(changeOf(line));
  return { changes, atomic: features.split(' ').includes('atomic') };
}

/** Reports each ref to the hook: that it was moved, or the reason why not. */
export function report(wire: Wire, { changes }: Orders, reasonOf: (ref: string) => string | undefined): void {
  for (const { ref } of changes) {
    const reason = reasonOf(ref);
    wire.send(linePacket(reason === undefined ? `ok ${ref}` : `ng ${ref} ${reason}`));
  }
  wire.send(FLUSH);
}

/** Parses a line `before after ref`, as git gives it to hooks. */
function changeOf(line: string): RefChange {
  const [, before, after, ref] = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/s.exec(line) ?? [];
  if (before === undefined || after === undefined || ref === undefined)
    throw new WireBroken('no change of a ref');
  return { ref, before: before === NO_OBJECT ? null : before, after: after === NO_OBJECT ? null : after };
}
