import { Account, type AccountState } from '../../domain/accounts/account.js';
import { DomainError, notFound } from '../../domain/errors.js';
import { whileDeleting } from '../accounts/while-deleting.js';
import { ownCommand, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { whileOvertaken } from '../while-overtaken.js';

/**
 * A deletion that has been under way for longer was most likely cut off, in ms; so was one that began as far in the future,
 * by a clock that was set back since.
 */
const CUT_OFF_MS = 60_000;

/** How often a change is tried, each time because another deletion has begun. */
const ATTEMPTS = 5;
const CLOSING = 'account.closing';

const beingDeleted = (code: string) =>
  new DomainError('unavailable', code, 'the account is being deleted: try again later');

/**
 * Refuses if the account is deleted. If its deletion is under way, waits for what becomes of it, because one that is
 * refused leaves the account as it was, and refuses as `unavailable` if that takes too long. Gives up a deletion that was
 * cut off; should it still be running, it begins again.
 */
export async function checkStays(
  commands: CommandHandler,
  accountId: number,
  context: CommandContext,
): Promise<void> {
  const { at } = context;
  const isUnderWay = ({ status, closingAt }: AccountState) =>
    status === 'exists' &&
    closingAt !== undefined &&
    Math.abs(Date.parse(at) - Date.parse(closingAt)) <= CUT_OFF_MS;
  const state = await whileDeleting(
    async () => (await commands.load(Account, accountId)).state,
    (seen) => !isUnderWay(seen),
  );
  if (state.status !== 'exists') throw notFound('account.absent', 'the account does not exist');
  if (isUnderWay(state)) throw beingDeleted('account.being_deleted');
  if (state.closingAt === undefined) return;
  const reopen = { type: 'ReopenAccount', data: { accountId, at } } as const;
  await commands.handle(Account, accountId, reopen, ownCommand(context));
}

/**
 * Makes a change that counts on these accounts staying, and that is taken back if one of them does not stay after it.
 * `change` is given a check to await in each attempt, when the revision to append at is fixed: nobody else can have counted
 * on the change while a deletion was under way before it. The end of such a deletion is waited for, as by `checkStays`.
 */
export const whileStaying = <T>(
  commands: CommandHandler,
  accountIds: readonly number[],
  context: CommandContext,
  change: (check: () => Promise<void>) => Promise<T>,
): Promise<T> =>
  whileOvertaken([CLOSING], ATTEMPTS, async (attempt) => {
    if (attempt > 1) for (const accountId of accountIds) await checkStays(commands, accountId, context);
    return change(async () => {
      for (const accountId of accountIds) {
        const { status, closingAt } = (await commands.load(Account, accountId)).state;
        if (status !== 'exists' || closingAt !== undefined) throw beingDeleted(CLOSING);
      }
    });
  });
