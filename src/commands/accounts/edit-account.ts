import { randomUUID } from 'node:crypto';
import { defined } from '../../defined.js';
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
import { appoint, appointAgain, appointment, countOpen, office } from './appoint.js';
import type { AccountServices } from './create-account.js';
import { existing } from './existing.js';
import { flagsOf, isClosed, settleEdits, type SettleServices } from './settle-edits.js';

/** What is to change; what is absent stays. */
export interface AccountEdit {
  readonly settings?: Partial<AccountSettings>;
  /** A new primary address; the old one stays as another of the account's. */
  readonly profile?: Partial<Omit<AccountProfile, 'emails'>>;
  readonly password?: string;
  readonly admin?: boolean;
}

/** What editing an account takes: the vault hears of what opens it, and ends the sessions of whoever is dismissed. */
export type EditServices = Pick<AccountServices, 'config' | 'commands' | 'claims'> & {
  readonly vault: Digests & {
    readonly credentials: Pick<Credentials, 'announce'> & SettleServices['vault']['credentials'];
    readonly sessions: Pick<BrowserSessions, 'endAll'>;
  };
};

/**
 * Changes an account in one append to its stream; a refusal leaves everything as it was. Whatever can be refused comes
 * before that append: the address is claimed, a site administrator leaves office. The vault is told of the edit before it
 * too, and closes the account at once where it is to be closed; its password and what opens it count once the event is
 * there. Where this is cut off, `settleEdits` does the rest: by the event, at a sign-in, or when it can come no more.
 */
export async function editAccount(
  services: EditServices,
  accountId: number,
  edit: AccountEdit,
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  if (edit.profile?.email !== undefined) checkEmail(edit.profile.email);
  if (edit.password !== undefined) checkPassword(edit.password, services.config.passwordMinLength);
  const { claims } = services;
  return claiming(claims, accountClaimant(accountId), context, (own) =>
    new Edit(services, accountId, edit, own).run(),
  );
}

class Edit {
  /** What takes back each step done so far. */
  readonly #undo: (() => Promise<unknown>)[] = [];
  /** What the vault is told, if anything. */
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

  /** Refused where nobody who can act would be left in office. */
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

  /** What was asked for is now as the log has it, whichever of several edits at once is the last to come here. */
  async #settle(): Promise<void> {
    const { services, accountId, context, edit } = this;
    // They are for site administrators alone, and do not wait for another term of office.
    if (edit.admin === false) await services.vault.sessions.endAll(accountId);
    if (edit.admin) this.#stands(await appoint(services.commands, accountId, context));
    this.#stands((await settleEdits(services, accountId, context, this.#announced?.id)).position);
    if (edit.admin) this.#stands(await countOpen(services.commands, accountId, context));
  }

  /** A request that is sent again does it again where an earlier attempt took it back. */
  async #dismiss(): Promise<void> {
    const { accountId, context } = this;
    const { commands } = this.services;
    let own = context;
    const takingBack = () => step(own, 'take back');
    while (await commands.repeated(Administrators, ADMINISTRATORS, appointment(takingBack())))
      own = step(own, 'again');
    const data = { accountId, at: context.at };
    if (await this.#office({ type: 'DismissAdministrator', data }, step(own, 'dismiss')))
      this.#undo.push(() => appointAgain(commands, accountId, takingBack()));
  }

  async #suspend(suspended: boolean, name: string): Promise<boolean> {
    const data = { accountId: this.accountId, suspended, at: this.context.at };
    return this.#office({ type: 'SuspendAdministrator', data }, step(this.context, name));
  }

  /** Whether it changed anything. */
  async #office(command: AdministratorsCommand, own: CommandContext): Promise<boolean> {
    const position = await office(this.services.commands, command, own);
    if (position !== undefined) this.#stands(position);
    return position !== undefined;
  }

  #stands(position: Position): void {
    this.#position = later(this.#position, position);
  }
}
