import { v4 } from 'uuid';
import { CommandHandler } from '../../src/commands/handle.js';
import { DomainError } from '../../src/domain/errors.js';
import {
  QUOTA_CATALOGUE,
  QuotaCatalogue,
  type QuotaCatalogueCommand,
} from '../../src/domain/quota/quota-catalogue.js';
import {
  QuotaMembership,
  type GroupReference,
  type QuotaMembershipCommand,
} from '../../src/domain/quota/quota-membership.js';
import { StorageLedger, type StorageLedgerCommand } from '../../src/domain/quota/storage-ledger.js';
import type { EventLog } from '../../src/event-log/event-log.js';
import type { Random } from '../support/random.js';
import { NO_LIMITS, randomStorageCommand } from './random-storage.js';

const ACCOUNTS = [7, 8, 9];
const RULES = ['first', 'second rule', 'third'];
const GROUPS = ['blue', 'dark green', 'dark', 'green'];
const at = '2026-01-01T00:00:00.000Z';

/** Gives random commands of every kind. Some are refused; those that are not record their events. */
export class RandomQuotas {
  readonly #commands: CommandHandler;
  /** All that were ever made. Accounts are added to deleted ones too, as where the deletion was not seen yet. */
  readonly #groups: GroupReference[] = [];
  #lastId = 0;

  constructor(
    log: EventLog,
    private readonly random: Random,
  ) {
    this.#commands = new CommandHandler({ log });
  }

  async give(commands: number): Promise<void> {
    for (let command = 0; command < commands; command += 1)
      await this.#giveOne().catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      });
  }

  async #giveOne(): Promise<unknown> {
    const context = { commandId: v4(), at };
    const accountId = this.random.pick(ACCOUNTS);
    switch (this.random.below(4)) {
      case 0:
        return this.#commands.handle(QuotaCatalogue, QUOTA_CATALOGUE, this.#ofCatalogue(), context);
      case 1:
        return this.#commands.handle(QuotaMembership, accountId, this.#ofMembership(), context);
      default: {
        const { reservations } = (await this.#commands.load(StorageLedger, accountId)).state;
        const command = this.#ofLedger([...reservations.keys()].sort());
        return this.#commands.handle(StorageLedger, accountId, command, context);
      }
    }
  }

  #ofCatalogue(): QuotaCatalogueCommand {
    const { random } = this;
    const rule = random.pick(RULES);
    const group = random.pick(GROUPS);
    const limit = random.pick(['-1', '0', '9007199254740993']);
    const subjects = random.some(['size:all', 'size:git:all'] as const);
    switch (random.below(9)) {
      case 0:
      case 1:
        return { type: 'CreateQuotaRule', data: { id: this.#newId(), name: rule, limit, subjects, at } };
      case 2:
        return { type: 'EditQuotaRule', data: { name: rule, limit, subjects, at } };
      case 3:
        return { type: 'DeleteQuotaRule', data: { name: rule, at } };
      case 4: {
        const id = this.#newId();
        this.#groups.push({ id, name: group });
        const rules = random.some(RULES).map((name) => ({ id: this.#newId(), name, limit, subjects }));
        return { type: 'CreateQuotaGroup', data: { id, name: group, rules, at } };
      }
      case 5:
        return { type: 'DeleteQuotaGroup', data: { name: group, at } };
      case 6:
        return { type: 'AddRuleToQuotaGroup', data: { group, rule, at } };
      case 7:
        return { type: 'RemoveRuleFromQuotaGroup', data: { group, rule, at } };
      default:
        return { type: 'RecordQuotaDefaults', data: { groups: random.some(GROUPS), total: limit, at } };
    }
  }

  #ofMembership(): QuotaMembershipCommand {
    const group = this.random.anyOf(this.#groups) ?? { id: this.#newId(), name: 'never made' };
    switch (this.random.below(3)) {
      case 0:
        return { type: 'AddToQuotaGroup', data: { group, at } };
      case 1:
        return { type: 'RemoveFromQuotaGroup', data: { group, at } };
      default:
        return { type: 'SetQuotaGroups', data: { groups: this.random.some(this.#groups), at } };
    }
  }

  #ofLedger(open: readonly string[]): StorageLedgerCommand {
    const { random } = this;
    const bytes = `${random.below(3) * 1_000}`;
    const expiresAt = `2026-01-01T0${random.below(9)}:00:00.000Z`;
    const overdue = random.some(open).map((id) => ({ reservationId: id, bytes: random.pick([null, bytes]) }));
    const quota = { ...NO_LIMITS, overdue: random.chance(0.2) ? overdue : [] };
    switch (random.below(9)) {
      case 0: {
        const reservationId = random.anyOf(open) ?? v4();
        return { type: 'RenewReservation', data: { reservationId, bytes, expiresAt, quota, at } };
      }
      case 1:
        return { type: 'SettleOverdue', data: { overdue, groups: [], at } };
      default:
        return randomStorageCommand(random, { open, bytes, expiresAt, at, quota });
    }
  }

  #newId(): number {
    return (this.#lastId += 1);
  }
}
