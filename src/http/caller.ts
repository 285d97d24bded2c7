import type { Scope } from '../domain/accounts/scopes.js';

/** The account that a request acts for. */
export interface Principal {
  readonly accountId: number;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly restricted: boolean;
  /** The scopes of the token; `'unlimited'` for a password, which has no scopes. */
  readonly scopes: readonly Scope[] | 'unlimited';
  /** Whether the caller signed in by Basic authentication with the password itself, not with a token in its place. */
  readonly byPassword: boolean;
}

/** The caller of a request; undefined if it is anonymous. */
export type Caller = Principal | undefined;
