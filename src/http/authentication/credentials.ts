/** A credential that a request carries, in the order of trying. */
export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  /** `token` is whichever of password and name may be a token; it is tried before the password. */
  | { readonly kind: 'basic'; readonly name: string; readonly password: string; readonly token: string };

/** The places where a request may carry credentials. */
export interface Shown {
  /** The `Authorization` header; empty if there is none. */
  readonly authorization: string;
  /** `token` and `access_token` of the query or of a form; undefined if these are disabled. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
}

/** Returns the request's credentials; tokens of the query come first. A malformed header counts as absent. */
export function credentialsOf({ authorization, parameters }: Shown): Credential[] {
  const header = credentialOf(authorization);
  const given = [parameters?.token, parameters?.access_token].flatMap((token): Credential[] =>
    token ? [{ kind: 'token', token }] : [],
  );
  return header ? [...given, header] : given;
}

function credentialOf(authorization: string): Credential | undefined {
  const [scheme = '', value, more] = authorization.split(' ');
  if (!value || more !== undefined) return undefined;
  switch (scheme.toLowerCase()) {
    case 'token':
    case 'bearer':
      return { kind: 'token', token: value };
    case 'basic':
      return basic(value);
    default:
      return undefined;
  }
}

function basic(encoded: string): Credential | undefined {
  if (!/^[\w+/-]+={0,2}$/.test(encoded)) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const name = text.slice(0, colon);
  const password = text.slice(colon + 1);
  const token = password === '' || password === 'x-oauth-basic' ? name : password;
  return { kind: 'basic', name, password, token };
}

/** Tells whether text could be a token; other text needs no look-up. */
export const looksLikeToken = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);
