import { randomUUID } from 'node:crypto';
import { defined } from '../../defined.js';
import { Account, type AccountState } from '../../domain/accounts/account.js';
import { ADMINISTRATORS, Administrators } from '../../domain/accounts/administrators.js';
import { checkEmail, hasEmail } from '../../domain/accounts/email.js';
import { checkPassword } from '../../domain/accounts/password.js';
import type { AccountProfile, AccountSettings } from '../../domain/accounts/profile.js';
import { EventStoreUnavailable, later, START, type Position } from '../../event-store/event-store.js';
import type { BrowserSessions } from '../../vault/browser-sessions.js';
import type { Credentials } from '../../vault/credentials.js';
import { claiming } from '../claiming.js';
import { step, type CommandContext } from '../context.js';
import { checkStays } from '../organizations/check-stays.js';
import { accountClaimant, emailClaim, type Digests } from './account-claims.js';
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
  readonly #announced: Parameters<Credentials['announce']>[1] | undefined;
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
    try {
      await this.#claimEmail(state);
      await this.#leaveOffice(isClosed(after) && !isClosed(before));
      await this.#announce();
      await this.#append(state.claimsLost);
    } catch (error) {
      // After an unknown outcome nothing is taken back: the change may stand.
      if (!(error instanceof EventStoreUnavailable))
        for (const undo of this.#undo.reverse()) await undo().catch(() => undefined);
      throw error;
    }
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
    if (this.edit.admin === false && (await this.#administrators('DismissAdministrator', 'dismiss')))
      this.#undo.push(() => this.#administrators('AppointAdministrator', 'appoint again'));
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
    this.#wrote(await this.services.commands.handle(Account, accountId, command, context));
  }

  /** What was asked for is now as the log has it, whichever of several edits at once is the last to come here. */
  async #settle(): Promise<void> {
    const { services, accountId, context, edit } = this;
    // They are for site administrators alone, and do not wait for another term of office.
    if (edit.admin === false) await services.vault.sessions.endAll(accountId);
    if (edit.admin) await this.#appoint();
    this.#wrote(await settleEdits(services, accountId, context, this.#announced?.id));
    if (edit.admin) await this.#countOpen();
  }

  /**
   * Whoever deletes the account dismisses it after the deletion has begun, and this looks for a deletion after the
   * appointment: so one of the two finds the other, and nobody who is deleted stays in office.
   */
  async #appoint(): Promise<void> {
    if (!(await this.#administrators('AppointAdministrator', 'appoint'))) return;
    try {
      await checkStays(this.services.commands, this.accountId, this.context);
    } catch (error) {
      await this.#administrators('DismissAdministrator', 'dismiss again');
      throw error;
    }
  }

  /** Counts among those who can act where the account is open, and looks again: somebody may have closed it meanwhile. */
  async #countOpen(): Promise<void> {
    for (let counted: boolean | undefined, round = 1; ; round++) {
      const { settings } = await existing(this.services, this.accountId);
      const closed = isClosed(flagsOf(settings));
      if (closed === counted) return;
      await this.#suspend(closed, `appointed ${round}`);
      counted = closed;
    }
  }

  /** Whether it changed anything. */
  async #administrators(
    type: 'AppointAdministrator' | 'DismissAdministrator',
    name: string,
  ): Promise<boolean> {
    const command = { type, data: { accountId: this.accountId, at: this.context.at } };
    return this.#office(command, name);
  }

  async #suspend(suspended: boolean, name: string): Promise<boolean> {
    const data = { accountId: this.accountId, suspended, at: this.context.at };
    return this.#office({ type: 'SuspendAdministrator', data }, name);
  }

  async #office(command: Parameters<typeof Administrators.decide>[0], name: string): Promise<boolean> {
    const { commands } = this.services;
    const handled = await commands.handle(Administrators, ADMINISTRATORS, command, step(this.context, name));
    if (handled.events.length > 0) this.#wrote(handled);
    return handled.events.length > 0;
  }

  #wrote({ position }: { readonly position: Position }): void {
    this.#position = later(this.#position, position);
  }
}
