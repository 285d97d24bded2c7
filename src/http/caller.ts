import type { Scope } from '../domain/accounts/scopes.js';

/** Who acts in a request. */
export interface Principal {
  readonly accountId: number;
  readonly name: string;
  readonly isAdmin: boolean;
  readonly restricted: boolean;
  /** What the token may do; `'unlimited'` for a password, which no scope binds. */
  readonly scopes: readonly Scope[] | 'unlimited';
  /** Signed in by Basic with the password itself, not with a token in its place. */
  readonly byPassword: boolean;
}

/** Undefined: anonymous. */
export type Caller = Principal | undefined;
