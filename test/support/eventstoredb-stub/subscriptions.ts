import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { status as Code } from '@grpc/grpc-js';
import type { StubRecord } from './log.js';
import type { StubNode } from './node.js';
import { callError, readEvent, streams } from './protocol.js';
import { write, type ReadCall, type ReadOptions } from './read-calls.js';

/** A live consumer that more events than this wait for is no longer one. */
const LIVE_BUFFER = 64;

const CHECKPOINT_UNIT = 32;

/** History at the reader's pace, `caughtUp`, then live; a checkpoint each interval × 32 considered events. */
export function subscribeToAll(call: ReadCall, options: ReadOptions, node: StubNode): void {
  const { log, subscriptions, traffic } = node;
  const position = options.getAll()?.getPosition()?.getCommitPosition();
  if (position !== undefined && !log.isReadable(BigInt(position))) {
    call.emit('error', callError(Code.UNKNOWN, 'Exception was thrown by handler.'));
    return;
  }
  const place = position === undefined ? undefined : log.indexOf(BigInt(position));
  traffic.subscribedAfter = position === undefined ? undefined : BigInt(position);
  subscriptions.add(call);
  const first = place ? place.index + 1 : options.getAll()?.hasEnd() ? log.records.length : 0;
  void new Subscription(call, options, node).run(first).finally(() => subscriptions.delete(call));
}

class Subscription {
  readonly #admits: (record: StubRecord) => boolean;
  readonly #interval: number;
  #next = 0;
  #considered = 0;
  /** Of what the reader was sent last, or after which it asked to begin. */
  #sent: bigint;

  constructor(
    private readonly call: ReadCall,
    options: ReadOptions,
    private readonly node: StubNode,
  ) {
    this.#admits = filter(options);
    this.#interval = CHECKPOINT_UNIT * (options.getFilter()?.getCheckpointintervalmultiplier() ?? 0);
    this.#sent = BigInt(options.getAll()?.getPosition()?.getCommitPosition() ?? -1);
  }

  async run(first: number): Promise<void> {
    this.#next = first;
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
    if (!(await write(this.call, new streams.ReadResp().setConfirmation(confirmation)))) return;
    if (await this.#catchUp()) await this.#live();
  }

  /** False once the call is over. */
  async #catchUp(): Promise<boolean> {
    if (!(await this.#sendUpTo(Infinity))) return false;
    // Before the first record, this is -1: on the wire it has no sign.
    const passed = BigInt.asUintN(64, this.#sent);
    if (this.node.catchesUpAgain && this.#interval > 0 && !(await this.#tell(passed))) return false;
    return write(this.call, new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
  }

  /** False once the call is over. */
  async #fallBehind(): Promise<boolean> {
    const fellBehind = new streams.ReadResp().setFellBehind(new streams.ReadResp.FellBehind());
    return (await write(this.call, fellBehind)) && this.#catchUp();
  }

  async #live(): Promise<void> {
    const ended = new AbortController();
    this.call.once('cancelled', () => {
      ended.abort();
    });
    while (!this.call.cancelled && !this.call.destroyed && !this.call.writableEnded) {
      const waiting = this.node.log.records.slice(this.#next).filter(this.#admits).length;
      const tooMuch = waiting > LIVE_BUFFER;
      if (!(await this.#sendUpTo(tooMuch ? this.#next + LIVE_BUFFER : Infinity))) return;
      if (tooMuch && this.node.catchesUpAgain) {
        if (!(await this.#fallBehind())) return;
      } else if (tooMuch) {
        this.call.emit('error', callError(Code.ABORTED, 'Operation timed out'));
        return;
      }
      if (this.#next < this.node.log.records.length) continue;
      await once(this.node.log, 'appended', { signal: ended.signal }).catch(() => undefined);
    }
  }

  /** False once the call is over. */
  async #sendUpTo(limit: number): Promise<boolean> {
    for (; this.#next < Math.min(limit, this.node.log.records.length); this.#next++) {
      const record = this.node.log.records[this.#next];
      if (record && !(await this.#consider(record))) return false;
    }
    return true;
  }

  async #consider(record: StubRecord): Promise<boolean> {
    if (this.#admits(record)) {
      this.node.traffic.delivered += 1;
      if (!(await write(this.call, readEvent(record)))) return false;
      this.#sent = record.position;
    }
    this.#considered += 1;
    if (this.#interval === 0 || this.#considered % this.#interval !== 0) return true;
    this.#sent = record.position;
    return this.#tell(record.position);
  }

  /** False once the call is over. */
  #tell(position: bigint): Promise<boolean> {
    const checkpoint = new streams.ReadResp.Checkpoint()
      .setCommitPosition(position.toString())
      .setPreparePosition(position.toString());
    return write(this.call, new streams.ReadResp().setCheckpoint(checkpoint));
  }
}

function filter(options: ReadOptions): (record: StubRecord) => boolean {
  const onStream = options.getFilter()?.getStreamIdentifier();
  const onType = options.getFilter()?.getEventType();
  const expression = onStream ?? onType;
  if (!expression) return () => true;
  const prefixes = expression.getPrefixList();
  const pattern = new RegExp(expression.getRegex());
  return (record) => {
    const name = onStream ? record.stream : record.type;
    return prefixes.length > 0 ? prefixes.some((prefix) => name.startsWith(prefix)) : pattern.test(name);
  };
}
