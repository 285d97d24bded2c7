import type { Config } from '../../config.js';
import { Account, type Visibility } from '../../domain/accounts/account.js';
import { checkEmail, emailKey } from '../../domain/accounts/email.js';
import { accountNameKey, checkAccountName } from '../../domain/accounts/names.js';
import { checkPassword } from '../../domain/accounts/password.js';
import { DomainError, invalid } from '../../domain/errors.js';
import { AccountName, EmailAddress, type Reservation } from '../../domain/reservations/reservation.js';
import type { EventLog } from '../../event-log/event-log.js';
import type { Position } from '../../event-store/event-store.js';
import type { Credentials } from '../../vault/credentials.js';
import { streamOf } from '../aggregates.js';
import { ClaimTaken, type Claims } from '../claims.js';
import type { CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import type { Ids } from '../ids.js';

export interface AccountServices {
  readonly config: Pick<Config, 'passwordMinLength'>;
  readonly log: EventLog;
  readonly commands: CommandHandler;
  readonly claims: Claims;
  readonly ids: Ids;
  readonly vault: {
    readonly credentials: Pick<Credentials, 'set'>;
    digest(kind: string, value: string): string;
  };
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
  /** RFC 3339; by default when the command was taken. */
  readonly createdAt?: string;
}

export interface CreatedAccount {
  readonly accountId: number;
  /** Of the event that created it. */
  readonly position: Position;
}

interface Claim {
  readonly kind: Reservation;
  readonly key: string;
}

/** A creation that was abandoned for its slowness starts again under a new id, at most so often in all. */
const ATTEMPTS = 3;

/**
 * Creates a user who can sign in at once. Name and address are claimed first, then the password is kept, then the
 * account's own stream is begun: before that nothing counts, and claims whose claimant crashed are taken over by
 * whoever wants them. Refuses as `invalid` what breaks a rule of names, addresses or passwords, or is taken.
 */
export async function createUser(
  services: AccountServices,
  user: NewUser,
  context: CommandContext,
): Promise<CreatedAccount> {
  checkAccountName(user.name);
  checkEmail(user.email);
  checkPassword(user.password, services.config.passwordMinLength);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createWithId(services, await services.ids.next('account'), user, context);
    } catch (error) {
      if (error instanceof ClaimTaken) {
        const earlier = await createdEarlier(services.log, error.holderId, context);
        if (earlier) return earlier;
        throw takenField(error);
      }
      const overtaken = error instanceof DomainError && error.code === 'account.abandoned';
      if (!overtaken || attempt === ATTEMPTS) throw error;
    }
  }
}

async function createWithId(
  services: AccountServices,
  accountId: number,
  user: NewUser,
  context: CommandContext,
): Promise<CreatedAccount> {
  const { claims, vault, commands } = services;
  const { name, email, password, mustChangePassword = false } = user;
  const claimed: Claim[] = [];
  try {
    for (const claim of [
      { kind: AccountName, key: vault.digest('account name', accountNameKey(name)) },
      { kind: EmailAddress, key: vault.digest('e-mail address', emailKey(email)) },
    ]) {
      await claims.claim(claim.kind, claim.key, accountId, context);
      claimed.push(claim);
    }
    await vault.credentials.set(accountId, password, { active: true, prohibited: false, mustChangePassword });
  } catch (error) {
    // What cannot be released now is taken over later.
    for (const { kind, key } of claimed) {
      await claims.release(kind, key, accountId, context).catch(() => undefined);
    }
    throw error;
  }
  // From here on nothing is undone: the outcome of the append may be unknown, and an account keeps its names.
  const data = {
    accountId,
    kind: 'user' as const,
    name,
    email,
    fullName: user.fullName ?? '',
    loginName: user.loginName ?? '',
    sourceId: 0,
    visibility: user.visibility ?? ('public' as const),
    restricted: user.restricted ?? false,
    mustChangePassword,
    createdAt: user.createdAt ?? context.at,
  };
  const { position } = await commands.handle(Account, accountId, { type: 'CreateAccount', data }, context);
  return { accountId, position };
}

/** The account, where this very command created it before and the answer was lost. */
async function createdEarlier(
  log: EventLog,
  holderId: number,
  { commandId, repeatable }: CommandContext,
): Promise<CreatedAccount | undefined> {
  if (!repeatable) return undefined;
  const [created] = await log.readStream(streamOf(Account, String(holderId)), { max: 1 });
  if (created?.metadata.$causationId !== commandId) return undefined;
  return { accountId: holderId, position: created.position };
}

const takenField = ({ category }: ClaimTaken): DomainError =>
  category === AccountName.category
    ? invalid('account.name_taken', 'Username', 'a user or organization of this name exists')
    : invalid('account.email_taken', 'Email', 'the e-mail address is in use');
