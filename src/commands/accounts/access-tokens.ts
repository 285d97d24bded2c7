import { findToken } from '../../domain/accounts/access-tokens.js';
import { Account } from '../../domain/accounts/account.js';
import { normaliseScopes, type Scope } from '../../domain/accounts/scopes.js';
import type { Position } from '../../event-store/event-store.js';
import { lastEightOf } from '../../vault/tokens.js';
import type { Vault } from '../../vault/vault.js';
import type { CommandContext } from '../context.js';
import { orUndo } from '../or-undo.js';
import type { AccountServices } from './create-account.js';

/** A token that was created now, or by an earlier attempt of the same command; in that case `secret` was renewed. */
export interface CreatedAccessToken {
  readonly tokenId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly lastEight: string;
  readonly createdAt: string;
  /** The secret, which cannot be had again. */
  readonly secret: string;
  readonly position: Position;
}

type TokenServices = Pick<AccountServices, 'commands' | 'ids'> & { readonly vault: Pick<Vault, 'tokens'> };

/**
 * Creates an access token of an account. Stores the secret first, so that every listed token works. If the answer with
 * the secret was lost, repeating the command renews it. Refuses as `bad-request` a name that the account already uses,
 * an unknown scope, and scopes that allow nothing.
 */
export async function createAccessToken(
  { commands, ids, vault }: TokenServices,
  { accountId, name, scopes: asked }: { accountId: number; name: string; scopes: readonly string[] },
  context: CommandContext,
): Promise<CreatedAccessToken> {
  const scopes = normaliseScopes(asked);
  const earlier = await commands.repeated(Account, accountId, context);
  const made = earlier?.events.find((event) => event.type === 'AccessTokenCreated')?.data;
  if (earlier && made) {
    const { tokenId, lastEight, createdAt } = made;
    const secret = await vault.tokens.renew(tokenId, lastEight);
    return { tokenId, name, scopes, lastEight, createdAt, secret, position: earlier.position };
  }
  const tokenId = await ids.next('accessToken');
  const secret = await vault.tokens.create({ tokenId, accountId, scopes });
  const lastEight = lastEightOf(secret);
  const data = { accountId, tokenId, name, scopes, lastEight, at: context.at };
  const { position } = await orUndo([() => vault.tokens.remove(tokenId)], () =>
    commands.handle(Account, accountId, { type: 'CreateAccessToken', data }, context),
  );
  return { tokenId, name, scopes, lastEight, createdAt: context.at, secret, position };
}

/**
 * Deletes the access token with this id or, if there is none, this name. It stops working before this resolves; if this is
 * interrupted after the append, the dispatcher sees to it.
 */
export async function deleteAccessToken(
  { commands, vault }: Pick<TokenServices, 'commands' | 'vault'>,
  { accountId, token }: { accountId: number; token: string },
  context: CommandContext,
): Promise<{ readonly position: Position }> {
  const command = async () => {
    const tokenId = findToken((await commands.load(Account, accountId)).state.tokens, token);
    return { type: 'DeleteAccessToken', data: { accountId, tokenId, at: context.at } } as const;
  };
  const deleted = await commands.handle(Account, accountId, command, context);
  for (const { type, data } of deleted.events)
    if (type === 'AccessTokenDeleted') await vault.tokens.remove(data.tokenId);
  return deleted;
}
