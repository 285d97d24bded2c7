import type { Caller, Principal } from './caller.js';
import type { PathParameters } from './context.js';
import { CHALLENGE, Refused, signInRequired } from './refused.js';

/** What an access rule may look at besides the caller. */
export interface Place<Parent = unknown> {
  /** The path's parameters, decoded but not yet checked. */
  readonly params: PathParameters;
  readonly parent: Parent;
  /** As `wasDone` of `Actions`; absent where the rule is checked before that is known. */
  readonly wasDone?: boolean;
}

/** Who may call a route. `admit` returns the caller, or throws 401, 403, or 404 for what must stay hidden. */
export interface Access<C extends Caller = Caller, Parent = unknown> {
  /** The rule's name in the API document and the authorisation tests. */
  readonly name: string;
  /** Checked after the route's `parent` was found, and may look at it; other rules before, so that nothing is told. */
  readonly afterParent?: true;
  admit(caller: Caller, place: Place<Parent>): C;
  /** Throws if the caller lacks a right on what the path names. Called only once the body is found to be well formed. */
  admitToChange?(caller: Caller, place: Place<Parent>): void;
}

export const anyone: Access = { name: 'anyone', admit: (caller) => caller };

export const signedIn: Access<Principal> = {
  name: 'signed in',
  admit(caller) {
    if (!caller) throw signInRequired();
    return caller;
  },
};

/** As `signedIn`, but checked only after what the path names was found. */
export const signedInHere: Access<Principal> = { ...signedIn, afterParent: true };

export const siteAdministrator: Access<Principal> = {
  name: 'site administrator',
  admit(caller, place) {
    const principal = signedIn.admit(caller, place);
    if (!principal.isAdmin) throw new Refused(403, 'site administrators only');
    return principal;
  },
};

/**
 * Makes a rule that admits signed-in callers for whom `holds` is true; others get 403, and anonymous ones 401. It is
 * checked after the route's parent was found, and may look at it.
 */
export const accessWhere = <Parent>(
  name: string,
  refusal: string,
  holds: (principal: Principal, place: Place<Parent>) => boolean,
): Access<Principal, Parent> => ({
  name,
  afterParent: true,
  admit(caller, place) {
    const principal = signedIn.admit(caller, place);
    if (!holds(principal, place)) throw new Refused(403, refusal);
    return principal;
  },
});

/**
 * Admits the user whom the parent is, if there is one, and site administrators; by password, because a narrow token must
 * not make a wide one.
 */
export const selfOrAdministratorByPassword: Access<Principal, { readonly id: number } | undefined> = {
  name: 'the user or a site administrator, by password',
  afterParent: true,
  admit(caller, place) {
    const principal = signedIn.admit(caller, place);
    const isSelf = principal.accountId === place.parent?.id;
    if (!isSelf && !principal.isAdmin) throw new Refused(403, 'only the user and site administrators');
    if (!principal.byPassword)
      throw new Refused(401, 'tokens are managed by password, not by token', CHALLENGE);
    return principal;
  },
};
