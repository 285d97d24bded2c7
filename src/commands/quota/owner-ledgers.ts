import type { QuotaGroup } from '../../domain/quota/evaluation.js';
import {
  StorageLedger,
  type StorageLedgerCommand,
  type StorageLedgerEvent,
} from '../../domain/quota/storage-ledger.js';
import type { Position } from '../../event-store/event-store.js';
import { ownCommand, type CommandContext } from '../context.js';
import type { CommandHandler, Handled } from '../handle.js';
import { limitsOf } from './limits.js';

/** What a command in a ledger has recorded. */
export type Recorded = Pick<Handled<StorageLedgerEvent>, 'events' | 'position'>;

/** How ledgers are written. */
export interface OwnerLedgersOptions {
  readonly commands: CommandHandler;
  /** Whether limits are enforced; what is stored is recorded in any case. */
  readonly limited: boolean;
  readonly now?: () => Date;
}

/** The ledgers of what each owner stores, with the limits that hold for it. */
export class OwnerLedgers {
  constructor(private readonly options: OwnerLedgersOptions) {}

  /** Loads an owner's ledger as it stands in the log now. */
  load(ownerId: number) {
    return this.options.commands.load(StorageLedger, ownerId);
  }

  /** Returns the limits of an owner now; without any group where limits are not enforced. */
  async limits(ownerId: number) {
    const limits = await limitsOf(this.options.commands, ownerId);
    return this.options.limited ? limits : { ...limits, groups: [] };
  }

  /** Runs a command of its own in a ledger; a function is called anew in each attempt. */
  handle(
    ownerId: number,
    command: StorageLedgerCommand | (() => Promise<StorageLedgerCommand>),
    context: CommandContext,
  ): Promise<Recorded> {
    return this.options.commands.handle(StorageLedger, ownerId, command, ownCommand(context));
  }

  /**
   * Changes what is stored regardless of the limits. The groups that apply at the beginning of an attempt only determine
   * the thresholds that are crossed.
   */
  async change(
    ownerId: number,
    context: CommandContext,
    command: (groups: readonly QuotaGroup[]) => StorageLedgerCommand | Promise<StorageLedgerCommand>,
  ): Promise<Position> {
    const attempt = async () => command(await this.#groups(ownerId));
    return (await this.handle(ownerId, attempt, context)).position;
  }

  /** Returns the time of the clock. */
  now(): Date {
    return this.options.now?.() ?? new Date();
  }

  /** Returns the time of the clock, not that of the request, because a lease counts from now. */
  at(): string {
    return this.now().toISOString();
  }

  async #groups(ownerId: number): Promise<readonly QuotaGroup[]> {
    return this.options.limited ? (await this.limits(ownerId)).groups : [];
  }
}
