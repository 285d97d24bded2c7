import { setTimeout as sleep } from 'node:timers/promises';
import { Account } from '../../domain/accounts/account.js';
import type { Decider, Message } from '../../domain/decider.js';
import { notFound } from '../../domain/errors.js';
import { ownCommand, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/**
 * A deletion that has been under way for longer was most likely cut off, in ms; so was one that began as far in the future,
 * by a clock that was set back since.
 */
const CUT_OFF_MS = 60_000;

/** How long the end of a deletion is waited for, in ms. Most take less. */
const WAIT_MS = 1_000;

/** How often it is looked for meanwhile, in ms. */
const LOOK_MS = 25;

/**
 * Refuses if the account is deleted. If its deletion is under way, waits for what becomes of it, because one that is
 * refused leaves the account as it was, and refuses if that takes too long. Gives up a deletion that was cut off; should it
 * still be running, it begins again.
 */
export async function checkStays(
  commands: CommandHandler,
  accountId: number,
  context: CommandContext,
): Promise<void> {
  const { at } = context;
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const { status, closingAt } = (await commands.load(Account, accountId)).state;
    if (status === 'exists' && closingAt === undefined) return;
    const isUnderWay = Math.abs(Date.parse(at) - Date.parse(closingAt ?? at)) <= CUT_OFF_MS;
    if (status === 'exists' && !isUnderWay) break;
    if (status !== 'exists' || performance.now() >= until)
      throw notFound('account.absent', 'the account is being deleted');
    await sleep(LOOK_MS);
  }
  const reopen = { type: 'ReopenAccount', data: { accountId, at } } as const;
  await commands.handle(Account, accountId, reopen, ownCommand(context));
}

/**
 * As `checkStays` for each of these accounts, before a change that is taken back if one of them does not stay after it: so
 * that a closing account is not counted on while its deletion is waited for. Checks nothing if an earlier attempt of a
 * repeated request has made the change already, which then has to be taken back.
 */
export async function checkStayBefore<Event extends Message, State>(
  commands: CommandHandler,
  accountIds: readonly number[],
  changed: { readonly decider: Decider<never, Event, State>; readonly id: string | number },
  context: CommandContext,
): Promise<void> {
  if (await commands.repeated(changed.decider, changed.id, context)) return;
  for (const accountId of accountIds) await checkStays(commands, accountId, context);
}
