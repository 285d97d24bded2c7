import { setTimeout as sleep } from 'node:timers/promises';
import { streamOf, type DataOf, type Decider, type Message } from '../domain/decider.js';
import { DomainError } from '../domain/errors.js';
import type { CommandMetadata } from '../event-log/event-codec.js';
import type { EventLog } from '../event-log/event-log.js';
import {
  EventStoreUnavailable,
  WrongExpectedVersion,
  type Appended,
  type ExpectedRevision,
  type Position,
} from '../event-store/event-store.js';
import {
  Aggregates,
  eventsAt,
  nothingOf,
  type Aggregate,
  type AggregateLimits,
  type Evolution,
} from './aggregates.js';
import { commandQueues } from './command-queues.js';
import type { CommandContext } from './context.js';
import { findRepeated } from './repeated.js';
import { Snapshots, type SnapshotOptions } from './snapshots.js';

/** The events that a command gave, and the place of the last one; if it gave none, that of the stream's last event. */
export interface Handled<Event extends Message> {
  readonly events: readonly Event[];
  readonly revision: ExpectedRevision;
  /** The position up to which read models must be current before the caller reads again. */
  readonly position: Position;
}

/** Returns the data of the event of a type that the command always gives. Throws if there is none. */
export function factsOf<Event extends Message, Type extends Event['type']>(
  { events }: Pick<Handled<Event>, 'events'>,
  type: Type,
): DataOf<Event, Type> {
  const event = events.find((each): each is Extract<Event, { type: Type }> => each.type === type);
  if (!event) throw new Error(`there is no ${type}`);
  return event.data;
}

/** Other writers of the stream were first in every attempt; nothing was appended. */
export class StreamContended extends Error {
  override readonly name = 'StreamContended';
}

/** The log, and bounds of memory, attempts and time. */
export interface CommandHandlerOptions {
  readonly log: EventLog;
  /** Bounds of the cache of aggregates; 10,000 of them and 256 MiB by default. */
  readonly aggregates?: Partial<AggregateLimits>;
  /**
   * How often a command is tried at least if other writers append first, 20 times by default; it is given up only after
   * `patienceMs` as well, because a process may be overtaken until others have written all that waited there.
   */
  readonly minAttempts?: number;
  /** If absent, every stream is read from its beginning. */
  readonly snapshots?: SnapshotOptions;
  /**
   * For how long a command that is overtaken is tried again, in ms, and an append without an answer, which is sent three
   * times at most; 10,000 by default.
   */
  readonly patienceMs?: number;
}

const AGGREGATES: AggregateLimits = { max: 10_000, maxBytes: 256 * 1024 * 1024 };
const APPEND_TRIES = 3;
const MAX_PAUSE_MS = 250;

/**
 * Runs commands: loads, decides and appends, and does all of it again if another writer was first. Commands of one stream
 * run one at a time in a process. Decides on the cached state of a stream and appends at its revision without reading
 * first; a refusal, or a decision without events, only counts once the stream was read and holds nothing newer.
 */
export class CommandHandler {
  readonly #log: EventLog;
  readonly #aggregates: Aggregates;
  readonly #queues = commandQueues();
  readonly #minAttempts: number;
  readonly #patienceMs: number;

  constructor(options: CommandHandlerOptions) {
    const { log, aggregates, minAttempts = 20, snapshots, patienceMs = 10_000 } = options;
    this.#log = log;
    this.#aggregates = new Aggregates(
      log,
      { ...AGGREGATES, ...aggregates },
      snapshots && new Snapshots(log, snapshots),
    );
    this.#minAttempts = minAttempts;
    this.#patienceMs = patienceMs;
  }

  /**
   * Runs one command on the aggregate `id`. A command that needs facts from elsewhere is a function, called anew in
   * each attempt after the aggregate's revision is fixed; it must not handle a command of the same stream. Throws the
   * rule's `DomainError`, `StreamContended`, or `EventStoreUnavailable` when the outcome is unknown.
   */
  async handle<Command extends Message, Event extends Message, State>(
    decider: Decider<Command, Event, State>,
    id: string | number,
    command: Command | (() => Promise<Command>),
    context: CommandContext,
  ): Promise<Handled<Event>> {
    const facts = typeof command === 'function' ? command : () => Promise.resolve(command);
    return this.#queues.run(streamOf(decider, id), async () => {
      const known = this.#aggregates.recall(decider, id) ?? (await this.load(decider, id));
      return this.#run(decider, id, known, facts, context);
    });
  }

  /** As `handle`, for a stream that most likely does not exist yet: it is not read first, the append finds out. */
  async begin<Command extends Message, Event extends Message, State>(
    decider: Decider<Command, Event, State>,
    id: string | number,
    command: Command,
    context: CommandContext,
  ): Promise<Handled<Event>> {
    return this.#queues.run(streamOf(decider, id), () => {
      const known = this.#aggregates.recall(decider, id) ?? nothingOf(decider);
      return this.#run(decider, id, known, () => Promise.resolve(command), context);
    });
  }

  /** Finds what an earlier attempt of a repeated request appended to a stream; undefined if it appended nothing. */
  async repeated<Event extends Message, State>(
    decider: Decider<never, Event, State>,
    id: string | number,
    context: CommandContext,
  ): Promise<Handled<Event> | undefined> {
    if (!mayHaveBeenDone(context)) return undefined;
    return findRepeated<Event>(this.#log, streamOf(decider, id), context);
  }

  /** Loads the aggregate as it stands in the log now. */
  load<State>(decider: Evolution<State>, id: string | number): Promise<Aggregate<State>> {
    return this.#aggregates.load(decider, id);
  }

  async #run<Command extends Message, Event extends Message, State>(
    decider: Decider<Command, Event, State>,
    id: string | number,
    known: Aggregate<State>,
    facts: () => Promise<Command>,
    context: CommandContext,
  ): Promise<Handled<Event>> {
    const stream = streamOf(decider, id);
    const began = performance.now();
    let aggregate = known;
    for (let attempt = 1; attempt <= this.#minAttempts || this.#isPatient(began); attempt++) {
      const mayBeDone = mayHaveBeenDone(context) || (context.repeatable && attempt > 1);
      const repeated = mayBeDone && (await findRepeated<Event>(this.#log, stream, context));
      if (repeated) return repeated;
      const { events, refusal } = decide(decider, await facts(), aggregate.state);
      if (events.length > 0) {
        await context.beforeAppend?.(stream);
        const appended = await this.#append(stream, aggregate.revision, events, context);
        if (appended) {
          // An append of an earlier attempt may have arrived since, with the same ids: then what that decided is there.
          const late = mayBeDone ? await findRepeated<Event>(this.#log, stream, context) : undefined;
          const done = late ?? { events, ...appended };
          this.#aggregates.advance(decider, id, aggregate, done.events, done);
          return done;
        }
        await sleep(jittered(attempt));
      }
      const newest = await this.load(decider, id);
      if (events.length === 0 && newest.revision === aggregate.revision) {
        if (refusal) throw refusal;
        return { events, revision: newest.revision, position: newest.position };
      }
      aggregate = newest;
    }
    throw new StreamContended(`every attempt to write ${stream} was overtaken`);
  }

  #isPatient(since: number): boolean {
    return performance.now() - since < this.#patienceMs;
  }

  /**
   * Appends the events; resolves with undefined if another writer was first. If the outcome is unknown, tries again with
   * the same event ids.
   */
  async #append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly Message[],
    context: CommandContext,
  ): Promise<Appended | undefined> {
    const began = performance.now();
    let unanswered: EventStoreUnavailable | undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#log.append(stream, expected, events, metadataOf(context), context.commandId);
      } catch (error) {
        if (error instanceof WrongExpectedVersion) {
          if (eventsAt(error.actual) < eventsAt(expected)) this.#aggregates.forget(stream);
          return undefined;
        }
        // This attempt was not even sent, e.g. because the vault is down as well; an earlier one may still have been carried out.
        if (!(error instanceof EventStoreUnavailable)) throw unanswered ?? error;
        unanswered = error;
        if (attempt === APPEND_TRIES || !this.#isPatient(began)) throw error;
        await sleep(jittered(attempt));
      }
    }
  }
}

/**
 * Tells whether an earlier attempt may have appended the events, so that the log has to be searched. If the command
 * announces its appends (`beforeAppend`) and no attempt has announced one, none has been made.
 */
const mayHaveBeenDone = ({ repeatable, beforeAppend, attempted }: CommandContext): boolean =>
  repeatable === true && (beforeAppend === undefined || attempted !== undefined);

type Decision<Event> = { readonly events: readonly Event[]; readonly refusal?: DomainError };

function decide<Command extends Message, Event extends Message, State>(
  decider: Decider<Command, Event, State>,
  command: Command,
  state: State,
): Decision<Event> {
  try {
    return { events: decider.decide(command, state) };
  } catch (error) {
    if (error instanceof DomainError) return { events: [], refusal: error };
    throw error;
  }
}

const metadataOf = ({
  commandId,
  actor,
  publicOnly,
  requestId,
  at,
  correlationId,
}: CommandContext): CommandMetadata => ({
  $correlationId: correlationId ?? commandId,
  at,
  ...(requestId !== undefined && { requestId }),
  ...(actor && { actor }),
  ...(publicOnly && { publicOnly }),
});

/** A random pause in milliseconds, longer with each attempt, so that two writers do not meet again and again. */
const jittered = (attempt: number) => Math.random() * Math.min(MAX_PAUSE_MS, 2 ** attempt);
