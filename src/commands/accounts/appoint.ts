import {
  ADMINISTRATORS,
  Administrators,
  type AdministratorsCommand,
} from '../../domain/accounts/administrators.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { checkStays, whileStaying } from '../organizations/check-stays.js';
import { existing } from './existing.js';
import { flagsOf, isClosed } from './settle-edits.js';

/** Runs a command of the Administrators aggregate. Resolves with its position; undefined if nothing changed. */
export async function changeAdministrators(
  commands: CommandHandler,
  command: AdministratorsCommand | (() => Promise<AdministratorsCommand>),
  context: CommandContext,
): Promise<Position | undefined> {
  const { events, position } = await commands.handle(Administrators, ADMINISTRATORS, command, context);
  return events.length > 0 ? position : undefined;
}

/** The context of the step in which `appoint` appoints. */
export const appointment = (context: CommandContext): CommandContext => step(context, 'appoint');

/**
 * Appoints a site administrator. A deletion of the account dismisses it after having begun, and this looks for a begun
 * deletion after appointing, so one of the two notices the other: no deleted account stays in office.
 */
export async function appoint(
  commands: CommandHandler,
  accountId: number,
  context: CommandContext,
): Promise<Position> {
  const data = { accountId, at: context.at };
  const own = appointment(context);
  const appointed = await whileStaying(commands, [accountId], context, (check) => {
    const command = async () => {
      await check();
      return { type: 'AppointAdministrator', data } as const;
    };
    return changeAdministrators(commands, command, own);
  });
  if (appointed === undefined) return START;
  try {
    await checkStays(commands, accountId, context);
  } catch (error) {
    await changeAdministrators(
      commands,
      { type: 'DismissAdministrator', data },
      step(context, 'dismiss again'),
    );
    throw error;
  }
  return appointed;
}

/** Counts the administrator as able to act if the account is open, and checks again in case it was closed meanwhile. */
export async function countOpen(
  commands: CommandHandler,
  accountId: number,
  context: CommandContext,
): Promise<Position> {
  let last = START;
  for (let counted: boolean | undefined, round = 1; ; round++) {
    const { settings } = await existing({ commands }, accountId);
    const suspended = isClosed(flagsOf(settings));
    if (suspended === counted) return last;
    const data = { accountId, suspended, at: context.at };
    const own = step(context, `appointed ${round}`);
    last = later(
      last,
      (await changeAdministrators(commands, { type: 'SuspendAdministrator', data }, own)) ?? START,
    );
    counted = suspended;
  }
}

/** Takes a dismissal back because the change that it was part of failed. */
export async function appointAgain(
  commands: CommandHandler,
  accountId: number,
  context: CommandContext,
): Promise<void> {
  await appoint(commands, accountId, context);
  await countOpen(commands, accountId, context);
}
