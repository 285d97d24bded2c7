import type { Caller, Principal } from './caller.js';
import { CHALLENGE, Refused, signInRequired } from './refused.js';

/** What an access rule may look at besides the caller. */
export interface Place<Parent = unknown> {
  /** Path parameters, decoded, not yet checked. */
  readonly params: Readonly<Record<string, string>>;
  readonly parent: Parent;
}

/** Who may call a route. `admit` gives the caller back, or throws 401, 403 or (for what must stay hidden) 404. */
export interface Access<C extends Caller = Caller, Parent = unknown> {
  /** In the API document and the authorisation tests. */
  readonly name: string;
  /** Checked once the route's `parent` is found, and may look at it; else before, so that nothing is told. */
  readonly afterParent?: true;
  admit(caller: Caller, place: Place<Parent>): C;
  /** What may be refused only when the body is found well formed: a right on what the path names. */
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

/** As `signedIn`, but asked only after what the path names was found. */
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
 * Lets in those who are signed in (others get 401) and of whom `holds` is true (others get 403). It is asked once the route's
 * parent is found, and may look at it.
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

/** The user that the path names, or a site administrator; by password, so that a narrow token cannot mint a wide one. */
export const selfOrAdministratorByPassword: Access<Principal> = {
  name: 'the user or a site administrator, by password',
  admit(caller, place) {
    const principal = signedIn.admit(caller, place);
    const isSelf = principal.name.toLowerCase() === place.params.username?.toLowerCase();
    if (!isSelf && !principal.isAdmin) throw new Refused(403, 'only the user and site administrators');
    if (!principal.byPassword)
      throw new Refused(401, 'tokens are managed by password, not by token', CHALLENGE);
    return principal;
  },
};
