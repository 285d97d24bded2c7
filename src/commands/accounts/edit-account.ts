import { randomUUID } from 'node:crypto';
import { defined } from '../../values/defined.js';
import { Account, type AccountState } from '../../domain/accounts/account.js';
import {
  ADMINISTRATORS,
  Administrators,
  type AdministratorsCommand,
} from '../../domain/accounts/administrators.js';
import { checkEmail, hasEmail } from '../../domain/accounts/email.js';
import { checkPassword } from '../../domain/accounts/password.js';
import type { AccountProfile, AccountSettings } from '../../domain/accounts/profile.js';
import { later, START, type Position } from '../../event-store/event-store.js';
import type { BrowserSessions } from '../../vault/browser-sessions.js';
import type { Credentials, CredentialsEdit } from '../../vault/credentials.js';
import { claiming } from '../claiming.js';
import { step, type CommandContext } from '../context.js';
import { orUndo } from '../or-undo.js';
import { accountClaimant, emailClaim, type Digests } from './account-claims.js';
import { appoint, appointAgain, appointment, changeAdministrators, countOpen } from './appoint.js';
import type { AccountServices } from './create-account.js';
import { existing } from './existing.js';
import { flagsOf, isClosed, settleEdits, type SettleServices } from './settle-edits.js';

/** The fields to change; absent ones stay as they are. */
export interface AccountEdit {
  readonly settings?: Partial<AccountSettings>;
  /** With a new primary address the old one stays as one of the account's other addresses. */
  readonly profile?: Partial<Omit<AccountProfile, 'emails'>>;
  readonly password?: string;
  readonly admin?: boolean;
}

/** What editing an account needs; the vault, because it holds the password and flags, and the sessions of administrators. */
export type EditServices = Pick<AccountServices, 'config' | 'commands' | 'claims'> & {
  readonly vault: Digests & {
    readonly credentials: Pick<Credentials, 'announce'> & SettleServices['vault']['credentials'];
    readonly sessions: Pick<BrowserSessions, 'endAll'>;
  };
};

/**
 * Changes an account with one append to its stream; a refusal leaves everything as it was. All steps that may be refused
 * come before that append: claiming the address, a site administrator leaving office. The vault is told of the edit
 * before it, too. It closes the account at once if the edit closes it; a new password, or opening the account, takes
 * effect once the event exists. If this is cut off, `settleEdits` finishes it: at the event, at the next sign-in, or once
 * the event can no longer come.
 */
export async function editAccount(
  services: EditServices,
  accountId: number,
  edit: AccountEdit,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  if (edit.profile?.email !== undefined) checkEmail(edit.profile.email);
  if (edit.password !== undefined) checkPassword(edit.password, services.config.passwordRules);
  const { claims } = services;
  return claiming(claims, accountClaimant(accountId), context, (own) =>
    new Edit(services, accountId, edit, own).run(),
  );
}

class Edit {
  /** The functions that take back the steps done so far. */
  readonly #undo: (() => Promise<unknown>)[] = [];
  /** The edit as the vault is told of it; undefined if it does not concern the vault. */
  readonly #announced: CredentialsEdit | undefined;
  #position = START;

  constructor(
    private readonly services: EditServices,
    private readonly accountId: number,
    private readonly edit: AccountEdit,
    private readonly context: CommandContext,
  ) {
    const { active, prohibitLogin: prohibited, mustChangePassword } = edit.settings ?? {};
    const told = defined({ active, prohibited, mustChangePassword, password: edit.password });
    if (Object.keys(told).length > 0) this.#announced = { id: randomUUID(), ...told };
  }

  async run(): Promise<{ readonly position: Position }> {
    const state = await existing(this.services, this.accountId);
    const before = flagsOf(state.settings);
    const after = { ...before, ...this.#announced };
    await orUndo(this.#undo, async () => {
      await this.#claimEmail(state);
      await this.#leaveOffice(isClosed(after) && !isClosed(before));
      await this.#announce();
      await this.#append(state.claimsLost);
    });
    await this.#settle();
    return { position: this.#position };
  }

  async #claimEmail({ profile, kind }: AccountState): Promise<void> {
    const { claims, vault } = this.services;
    const email = this.edit.profile?.email;
    if (email === undefined || kind !== 'user' || hasEmail(profile.emails, email)) return;
    const claim = await claims.claim(emailClaim(vault, email), this.accountId, this.context);
    this.#undo.push(() => claims.giveUp(claim, this.context));
  }

  /** Dismisses or suspends the administrator. Refused if no administrator who can act would be left. */
  async #leaveOffice(closes: boolean): Promise<void> {
    if (this.edit.admin === false) await this.#dismiss();
    if (closes && (await this.#suspend(true, 'suspend')))
      this.#undo.push(() => this.#suspend(false, 'reinstate again'));
  }

  async #announce(): Promise<void> {
    const announced = this.#announced;
    if (!announced) return;
    this.#undo.push(() => settleEdits(this.services, this.accountId, this.context, announced.id));
    await this.services.vault.credentials.announce(this.accountId, announced);
  }

  async #append(claimsLost: number): Promise<void> {
    const { settings = {}, profile = {}, password } = this.edit;
    const { accountId, context } = this;
    const newPassword = password !== undefined;
    const claimed = profile.email !== undefined && { claimsLost };
    const told = this.#announced && { editId: this.#announced.id };
    const data = { accountId, settings, profile, newPassword, at: context.at, ...told, ...claimed };
    const command = { type: 'EditAccount', data } as const;
    this.#stands((await this.services.commands.handle(Account, accountId, command, context)).position);
  }

  /** Brings office and vault in line with the log, which holds the outcome of several edits at once. */
  async #settle(): Promise<void> {
    const { services, accountId, context, edit } = this;
    // Sessions are for site administrators only, and must not come back with a later appointment.
    if (edit.admin === false) await services.vault.sessions.endAll(accountId);
    if (edit.admin) this.#stands(await appoint(services.commands, accountId, context));
    this.#stands((await settleEdits(services, accountId, context, this.#announced?.id)).position);
    if (edit.admin) this.#stands(await countOpen(services.commands, accountId, context));
  }

  /** Dismisses the administrator; again in a repeated request, if its earlier attempt took that back. */
  async #dismiss(): Promise<void> {
    const { accountId, context } = this;
    const { commands } = this.services;
    let own = context;
    const takingBack = () => step(own, 'take back');
    while (await commands.repeated(Administrators, ADMINISTRATORS, appointment(takingBack())))
      own = step(own, 'again');
    const data = { accountId, at: context.at };
    if (await this.#changeAdministrators({ type: 'DismissAdministrator', data }, step(own, 'dismiss')))
      this.#undo.push(() => appointAgain(commands, accountId, takingBack()));
  }

  async #suspend(suspended: boolean, name: string): Promise<boolean> {
    const data = { accountId: this.accountId, suspended, at: this.context.at };
    return this.#changeAdministrators({ type: 'SuspendAdministrator', data }, step(this.context, name));
  }

  /** Runs a command of the Administrators aggregate; resolves with whether it changed anything. */
  async #changeAdministrators(command: AdministratorsCommand, own: CommandContext): Promise<boolean> {
    const position = await changeAdministrators(this.services.commands, command, own);
    if (position !== undefined) this.#stands(position);
    return position !== undefined;
  }

  #stands(position: Position): void {
    this.#position = later(this.#position, position);
  }
}
