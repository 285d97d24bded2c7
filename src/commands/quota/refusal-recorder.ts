import { setTimeout as sleep } from 'node:timers/promises';
import type { QuotaExceeded, QuotaReason } from '../../domain/quota/quota-exceeded.js';
import { QuotaRefusals, type QuotaRefusalsCommand } from '../../domain/quota/quota-refusals.js';
import { ownCommand, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/** How refusals are recorded; `now` is the clock that determines the minute, the machine's by default. */
export interface RefusalRecorderOptions {
  readonly commands: Pick<CommandHandler, 'handle'>;
  /** Called with the error if refusals could not be recorded; those are lost. */
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
}

/** The refusals of one account and subject in one minute, of which the first is recorded already. */
interface Counted {
  readonly accountId: number;
  readonly minute: string;
  more: number;
  last: QuotaReason;
  context: CommandContext;
}

const MINUTE_MS = 60_000;
/** How many pairs of account and subject are counted in a minute; refusals of further ones are not recorded. */
const MAX_COUNTED = 10_000;
/** How long `flush` waits for what is being recorded, in ms; what is not recorded when the process ends is lost. */
const FLUSHING_MS = 2_000;

/**
 * Records refusals for lack of room in the background: no answer waits for it, and failures only go to the process's log.
 * The first refusal of an account, subject and minute is recorded at once. Further ones are counted in memory, and their
 * number is recorded when the minute is over or at `flush`, one append at a time. A process that is killed loses that
 * number, so a recorded count is a lower bound.
 */
export class RefusalRecorder {
  readonly #counted = new Map<string, Counted>();
  #work: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: RefusalRecorderOptions) {}

  readonly note = ({ account, reason }: QuotaExceeded, context: CommandContext): void => {
    const accountId = account.id;
    const key = `${accountId} ${reason.subject}`;
    const minute = this.#minute();
    const known = this.#counted.get(key);
    if (known?.minute === minute) {
      known.more += 1;
      known.last = reason;
      known.context = context;
      return;
    }
    if (known) this.#recordCount(key, known);
    if (this.#counted.size >= MAX_COUNTED) return;
    const first: Counted = { accountId, minute, more: 0, last: reason, context };
    this.#counted.set(key, first);
    const command = { type: 'RecordRefusal', data: this.#facts(first) } as const;
    this.#enqueue(async () => {
      const { events } = await this.#handle(accountId, command, context);
      if (events.length === 0) first.more += 1; // another process was first in this minute
    });
    this.#lookAgain();
  };

  /** Records what was counted so far, within a time limit, so that a report that is asked for next includes it. */
  async flush(): Promise<void> {
    for (const [key, counted] of this.#counted) this.#recordCount(key, counted);
    await Promise.race([this.#work, sleep(FLUSHING_MS, undefined, { ref: false })]);
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.flush();
  }

  /** Schedules recording of the minutes that are over, at the end of each minute while something is counted. */
  #lookAgain(): void {
    const untilNextMinute = MINUTE_MS - (this.#now().getTime() % MINUTE_MS);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const now = this.#minute();
      for (const [key, counted] of this.#counted) if (counted.minute !== now) this.#recordCount(key, counted);
      if (this.#counted.size > 0) this.#lookAgain();
    }, untilNextMinute).unref();
  }

  #recordCount(key: string, counted: Counted): void {
    this.#counted.delete(key);
    this.#enqueue(async () => {
      const { more, accountId, context } = counted; // complete by now: whoever was first is known
      if (more === 0) return;
      const data = { ...this.#facts(counted), more };
      await this.#handle(accountId, { type: 'CountRefusals', data }, context);
    });
  }

  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch(this.options.onError);
  }

  #handle(accountId: number, command: QuotaRefusalsCommand, context: CommandContext) {
    return this.options.commands.handle(QuotaRefusals, accountId, command, ownCommand(context));
  }

  #facts({ minute, last }: Counted) {
    const { limit, used, incoming, position } = last;
    return {
      minute,
      group: last.group,
      rule: last.rule,
      subject: last.subject,
      limit: limit.toString(),
      used: used.toString(),
      incoming: incoming?.toString() ?? null,
      position: position.toString(),
      at: this.#now().toISOString(),
    };
  }

  #minute(): string {
    const now = this.#now().getTime();
    return new Date(now - (now % MINUTE_MS)).toISOString();
  }

  #now(): Date {
    return this.options.now?.() ?? new Date();
  }
}
