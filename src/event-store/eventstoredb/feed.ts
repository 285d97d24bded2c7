import {
  START as FROM_START,
  streamNameFilter,
  type AllStreamSubscription,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { pause } from '../../concurrency/pause.js';
import { unlessAborted } from '../../concurrency/unless-aborted.js';
import { pauseAfter, type BackOff } from '../back-off.js';
import { later, PositionNotInLog, START, type Batch, type Position } from '../event-store.js';
import { isTombstone, toClientPosition, toPosition, toRecordedEvent, type Resolved } from './client.js';
import { Connection } from './connection.js';
import { isNotLeader, isSlowReader, isUnavailable, NoAnswer } from './errors.js';
import { Mailbox } from './mailbox.js';
import { beginningAfter } from './positions.js';

// In units of 32 events: the position moves on past others' events without a message for every few of them.
const CHECKPOINT_INTERVAL = 100;

/** What to follow, and from where. Our streams' names begin with `prefixes`; `onError` gets the errors of subscriptions. */
export interface FeedOptions {
  readonly url: string;
  readonly prefixes: readonly string[];
  readonly after: Position;
  readonly maxBatch: number;
  /** How long the server may take to confirm a subscription, or to answer a read before it, in milliseconds. */
  readonly timeLimit: number;
  readonly backOff: BackOff;
  /** Tells whether the log holds the event at a position. */
  readonly holds: (position: Position) => Promise<boolean>;
  /** The position of the leader's last event of our categories. */
  readonly last: () => Promise<Position>;
  readonly onError: (error: unknown) => void;
}

/**
 * All events of our categories after a position. It subscribes again whenever the server, the network or the client
 * ends the subscription, after the last event that arrived. Holds about one batch: the subscription is paused while
 * the consumer is behind. Has a connection of its own, so that neither its backlog nor its troubles reach appends.
 * Ends with `PositionNotInLog` where there is nothing to go on after: the server would refuse that for ever or, where
 * it is beyond the end of the log, begin with whatever is appended next.
 */
export class Feed {
  readonly #connection: Connection;
  readonly #mailbox: Mailbox;
  readonly #ended = new AbortController();
  #running: Promise<void> | undefined;
  #subscription: AllStreamSubscription | undefined;
  #position: Position;
  /** Whether a node was given up because it lacked what the leader had: from then on only the leader is asked. */
  #onlyLeader = false;
  /** The number of consecutive subscriptions that brought nothing, not even word that there is nothing to catch up with. */
  #failures = 0;

  constructor(private readonly options: FeedOptions) {
    this.#position = options.after;
    this.#connection = new Connection(options.url, options.backOff);
    this.#mailbox = new Mailbox(options.maxBatch, () => this.#subscription?.resume());
  }

  /** Yields batches until `close`. Call it once. */
  batches(): AsyncGenerator<Batch> {
    this.#running = this.#run().catch((error: unknown) => {
      this.#mailbox.end(error as Error);
    });
    return this.#mailbox.batches();
  }

  /** Ends `batches` at once; resolves when the connection is closed. */
  async close(): Promise<void> {
    this.#ended.abort();
    this.#mailbox.end();
    await this.#running;
    await this.#connection.close();
  }

  async #run(): Promise<void> {
    while (!this.#hasEnded()) {
      const client = await this.#connection.client();
      const begin = await unlessAborted(this.#beginning(client), this.#ended.signal);
      if (this.#hasEnded()) return;
      const reason = typeof begin === 'bigint' ? await this.#subscribe(client, begin) : begin;
      if (this.#hasEnded()) return;
      if (reason instanceof PositionNotInLog) {
        this.#mailbox.end(reason);
        return;
      }
      this.#mailbox.setLive(false);
      if (!isSlowReader(reason)) {
        this.options.onError(reason);
        if (isUnavailable(reason) && !isNotLeader(reason))
          await this.#connection.replace(client).catch(this.options.onError);
      }
      this.#failures += 1;
      await pause(pauseAfter(this.#failures, this.options.backOff), this.#ended.signal);
    }
  }

  /** Returns the position to subscribe after, or the reason why there is none. */
  async #beginning(client: EventStoreDBClient): Promise<unknown> {
    if (this.#position === START) return START;
    try {
      if (!(await this.options.holds(this.#position))) return new PositionNotInLog(this.#position);
      return await beginningAfter(client, this.#position, this.options.timeLimit, this.#onlyLeader);
    } catch (error) {
      return error;
    }
  }

  /** Runs one subscription; resolves with the reason of its end. */
  async #subscribe(client: EventStoreDBClient, after: Position): Promise<unknown> {
    const { timeLimit } = this.options;
    const { signal } = this.#ended;
    const subscription = this.#open(client, after);
    this.#subscription = subscription;
    let stop: (reason?: unknown) => void = () => undefined;
    const stopped = new Promise<unknown>((resolve) => {
      stop = resolve;
    });
    const unconfirmed = setTimeout(() => {
      stop(new NoAnswer(`no subscription within ${timeLimit} ms`));
    }, timeLimit);
    const over = new AbortController();
    signal.addEventListener('abort', stop);
    subscription
      .once('confirmation', () => {
        clearTimeout(unconfirmed);
      })
      .once('caughtUp', () => void this.#lack(subscription, over.signal).then(stop))
      .on('error', stop)
      .on('end', () => {
        stop(new Error('the server ended the subscription'));
      });
    this.#listen(subscription);
    const reason = await stopped;
    clearTimeout(unconfirmed);
    over.abort();
    signal.removeEventListener('abort', stop);
    this.#subscription = undefined;
    leave(subscription);
    return reason;
  }

  /**
   * Resolves with the reason to leave a live subscription: its node gives nothing, though the leader has more. One that
   * is cut off from the others, perhaps because it led them before, keeps its subscriptions and says nothing.
   */
  async #lack(subscription: AllStreamSubscription, over: AbortSignal): Promise<NoAnswer | undefined> {
    const { last, timeLimit } = this.options;
    while (!over.aborted) {
      const position = this.#position;
      const isStill = () => !over.aborted && this.#position === position && !subscription.isPaused();
      await pause(timeLimit, over);
      if (!isStill() || (await last().catch(() => START)) <= position) continue;
      await pause(timeLimit, over); // it may be on its way
      if (!isStill()) continue;
      this.#onlyLeader = true;
      return new NoAnswer(`the node gave nothing for ${2 * timeLimit} ms, and the leader has more`);
    }
    return undefined;
  }

  #open(client: EventStoreDBClient, after: Position): AllStreamSubscription {
    const subscription: AllStreamSubscription = client.subscribeToAll({
      fromPosition: after === START ? FROM_START : toClientPosition(after),
      requiresLeader: this.#onlyLeader,
      filter: streamNameFilter({
        prefixes: [...this.options.prefixes],
        checkpointInterval: CHECKPOINT_INTERVAL,
        checkpointReached: (_, checkpoint) => {
          // Events before it may still stand in the client's own buffer, which a failure empties.
          if (subscription.readableLength === 0) this.#moveTo(later(toPosition(checkpoint), this.#position));
        },
      }),
    });
    return subscription;
  }

  #listen(subscription: AllStreamSubscription): void {
    let beforeLive = 0;
    subscription
      .on('data', (resolved: Resolved) => {
        const event = toRecordedEvent(resolved);
        if (beforeLive > 0 && --beforeLive === 0) this.#mailbox.setLive(true);
        // Some may come again: what stands before a scavenged event, or comes next at a node that is behind.
        if (event.position <= this.#position) return;
        this.#moveTo(event.position);
        if (isTombstone(resolved)) return;
        this.#mailbox.put(event);
        if (this.#mailbox.isFull) subscription.pause();
      })
      // The client says so ahead of the events that it still holds.
      .on('caughtUp', () => {
        beforeLive = subscription.readableLength;
        this.#failures = 0;
        this.#mailbox.setLive(beforeLive === 0);
      })
      .on('fellBehind', () => {
        beforeLive = 0;
        this.#mailbox.setLive(false);
      });
  }

  #moveTo(position: Position): void {
    this.#position = position;
    this.#failures = 0;
  }

  #hasEnded(): boolean {
    return this.#ended.signal.aborted;
  }
}

function leave(subscription: AllStreamSubscription): void {
  subscription.removeAllListeners();
  subscription.on('error', () => undefined); // what comes after the end concerns nobody
  subscription.unsubscribe().catch(() => undefined);
  subscription.destroy();
}
