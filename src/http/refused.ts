/** Ends a request with this status, for reasons that only HTTP knows. Domain rules throw a `DomainError` instead. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Whether the body leaves out the documentation's address, as it does for closed accounts. */
    readonly messageOnly = false,
  ) {
    super(message);
  }
}

export const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Tallyforge", charset="UTF-8"' };

/** Makes a 401 with the challenge that has clients ask for a password. */
export const signInRequired = () => new Refused(401, 'sign-in is required', CHALLENGE);

/** Makes a 503, for when the read models are too far behind to answer from. */
export const readModelsLate = () =>
  new Refused(503, 'the read models are behind what this is about: try again', { 'Retry-After': '1' });
