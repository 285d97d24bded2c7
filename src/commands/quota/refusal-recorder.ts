import { setTimeout as sleep } from 'node:timers/promises';
import type { QuotaExceeded, QuotaReason } from '../../domain/quota/quota-exceeded.js';
import { QuotaRefusals, type QuotaRefusalsCommand } from '../../domain/quota/quota-refusals.js';
import { ownCommand, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/** How refusals are recorded; `now` is the clock that tells the minute, the machine's by default. */
export interface RefusalRecorderOptions {
  readonly commands: Pick<CommandHandler, 'handle'>;
  /** Told of what could not be recorded, which is then not. */
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
}

/** The refusals of one account under one subject in one minute, the first of which is recorded already. */
interface Counted {
  readonly accountId: number;
  readonly minute: string;
  more: number;
  last: QuotaReason;
  context: CommandContext;
}

const MINUTE_MS = 60_000;
/** Accounts and subjects that are counted in a minute; of others nothing is recorded. */
const MAX_COUNTED = 10_000;
/** Nobody waits longer for what is being recorded; what is not when the process ends is lost. */
const FLUSHING_MS = 2_000;

/**
 * Records what was refused for want of room, behind the answer: nobody waits for it, and where it fails nobody is told
 * but the log. The first refusal of an account, subject and minute is recorded at once; those that follow are counted in
 * memory and recorded as a number when the minute is over, or somebody asks, one append at a time. A process that is
 * killed loses that number, so the count is of as many at least.
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

  /** Records what was counted so far, as far as there is time: who asks is told of each. */
  async flush(): Promise<void> {
    for (const [key, counted] of this.#counted) this.#recordCount(key, counted);
    await Promise.race([this.#work, sleep(FLUSHING_MS, undefined, { ref: false })]);
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.flush();
  }

  /** Records the minutes that are over, a minute from now and for as long as something is counted. */
  #lookAgain(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const now = this.#minute();
      for (const [key, counted] of this.#counted) if (counted.minute !== now) this.#recordCount(key, counted);
      if (this.#counted.size > 0) this.#lookAgain();
    }, MINUTE_MS).unref();
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
