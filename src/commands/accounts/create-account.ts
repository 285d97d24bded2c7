import type { Config } from '../../config.js';
import { ABANDONED, Account, type AccountCommand, type Visibility } from '../../domain/accounts/account.js';
import { checkEmail } from '../../domain/accounts/email.js';
import { checkAccountName } from '../../domain/accounts/names.js';
import { checkPassword } from '../../domain/accounts/password.js';
import { streamOf, type DataOf } from '../../domain/decider.js';
import type { EventLog } from '../../event-log/event-log.js';
import type { Position } from '../../event-store/event-store.js';
import type { Credentials } from '../../vault/credentials.js';
import type { Claimable } from '../claimable.js';
import { ClaimTaken, type Claim, type Claims } from '../claims.js';
import type { CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import type { Ids } from '../ids.js';
import { attemptedId } from '../repeated.js';
import { whileOvertaken } from '../while-overtaken.js';
import { emailClaim, nameClaim, takenField, type Digests } from './account-claims.js';

/** What creating an account needs. */
export interface CreationServices {
  readonly log: EventLog;
  readonly commands: CommandHandler;
  readonly claims: Claims;
  readonly ids: Ids;
  readonly vault: Digests;
}

/** What creating a user needs: as for any account, and the rule for passwords with the vault that stores them. */
export interface AccountServices extends CreationServices {
  readonly config: Pick<Config, 'passwordRules'>;
  readonly vault: Digests & { readonly credentials: Pick<Credentials, 'set'> };
}

/** A user as an administrator asks for it. */
export interface NewUser {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly fullName?: string;
  readonly loginName?: string;
  readonly mustChangePassword?: boolean;
  readonly restricted?: boolean;
  readonly visibility?: Visibility;
  /** RFC 3339; by default when the command was received. */
  readonly createdAt?: string;
}

/** An account that was created now, or by an earlier attempt of the same command. */
export interface CreatedAccount {
  readonly accountId: number;
  /** The position of the event that created it. */
  readonly position: Position;
}

/** An account that is about to be created. */
export interface AccountPlan {
  readonly claims: readonly Claimable[];
  /**
   * Runs once everything is claimed and before the account exists. What it writes must have no effect without the
   * account.
   */
  readonly prepare: (accountId: number) => Promise<unknown>;
  readonly facts: Omit<DataOf<AccountCommand, 'CreateAccount'>, 'accountId'>;
}

/** How often a creation is tried in all. One that others abandoned because it was slow starts again under a new id. */
const ATTEMPTS = 3;

/**
 * Creates a user, who can sign in at once because the password is stored before the account exists. Refuses as `invalid`
 * a name, address or password that breaks a rule, and a name or address that is taken.
 */
export async function createUser(
  services: AccountServices,
  user: NewUser,
  context: CommandContext,
): Promise<CreatedAccount> {
  const { vault, config } = services;
  const { name, email, password, mustChangePassword = false } = user;
  checkAccountName(name);
  checkEmail(email);
  checkPassword(password, config.passwordRules);
  const plan: AccountPlan = {
    claims: [nameClaim(vault, name), emailClaim(vault, email)],
    prepare: (accountId) =>
      vault.credentials.set(accountId, password, { active: true, prohibited: false, mustChangePassword }),
    facts: {
      kind: 'user',
      name,
      email,
      fullName: user.fullName ?? '',
      loginName: user.loginName ?? '',
      sourceId: 0,
      visibility: user.visibility ?? 'public',
      restricted: user.restricted ?? false,
      mustChangePassword,
      createdAt: user.createdAt ?? context.at,
    },
  };
  return createAccount(services, plan, context);
}

/**
 * Creates an account: claims its name and addresses, runs `plan.prepare`, then begins its stream. Nothing counts before
 * that last step, and the claims of a process that crashed are taken over by the next one that wants them. Refuses as
 * `invalid` what is taken.
 */
export async function createAccount(
  services: CreationServices,
  plan: AccountPlan,
  context: CommandContext,
): Promise<CreatedAccount> {
  const attempted = attemptedId(Account, context);
  const before = attempted && (await createdBy(context, services.log, Number(attempted)));
  if (before) return before; // what it was created with may be free again
  try {
    return await whileOvertaken([ABANDONED], ATTEMPTS, async () =>
      createWithId(services, await services.ids.next('account'), plan, context),
    );
  } catch (error) {
    if (!(error instanceof ClaimTaken)) throw error;
    const earlier = await createdBy(context, services.log, error.holderId);
    if (earlier) return earlier;
    throw takenField(error);
  }
}

async function createWithId(
  { claims, commands }: CreationServices,
  accountId: number,
  plan: AccountPlan,
  context: CommandContext,
): Promise<CreatedAccount> {
  const claimed: Claim[] = [];
  try {
    for (const claim of plan.claims) {
      claimed.push(await claims.claim(claim, accountId, context));
    }
    await plan.prepare(accountId);
  } catch (error) {
    // A claim that cannot be released now is taken over later.
    for (const claim of claimed) await claims.release(claim, context).catch(() => undefined);
    throw error;
  }
  // From here on nothing is undone: the outcome of the append may be unknown, and an account that exists keeps its names.
  const data = { accountId, ...plan.facts };
  const { position } = await commands.begin(Account, accountId, { type: 'CreateAccount', data }, context);
  return { accountId, position };
}

/** Finds the account if this very command created it in an earlier attempt; undefined otherwise. */
async function createdBy(
  { commandId, repeatable }: CommandContext,
  log: EventLog,
  accountId: number,
): Promise<CreatedAccount | undefined> {
  if (!repeatable) return undefined;
  const [created] = await log.readStream(streamOf(Account, accountId), { max: 1 });
  if (created?.metadata.$causationId !== commandId) return undefined;
  return { accountId, position: created.position };
}
