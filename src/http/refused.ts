/** Ends a request with this status; for what only HTTP knows. Rules refuse with a `DomainError`. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** The states of an account are told without the documentation's address. */
    readonly messageOnly = false,
  ) {
    super(message);
  }
}

export const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Tallyforge", charset="UTF-8"' };

/** 401, with the challenge that makes clients ask for a password. */
export const signInRequired = () => new Refused(401, 'sign-in is required', CHALLENGE);

/** 503, where the read models would soon give another answer than they do now. */
export const readModelsLate = () =>
  new Refused(503, 'the read models are behind what this is about: try again', { 'Retry-After': '1' });
