/** The kind of a refusal. `http/middleware/errors.ts` maps each kind to a status. */
export type RefusalKind =
  | 'bad-request'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition'
  | 'quota-exceeded'
  | 'invalid'
  | 'locked'
  | 'busy'
  | 'too-many'
  | 'unavailable';

/** A refusal by a rule. `code` is stable (`area.reason`); `field` names the field of the request, in PascalCase. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  constructor(
    readonly kind: RefusalKind,
    readonly code: string,
    message: string,
    readonly field?: string,
  ) {
    super(field === undefined ? message : `[${field}]: ${message}`);
  }
}

/** Tells whether an error is a refusal with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): error is DomainError =>
  error instanceof DomainError && codes.includes(error.code);

/** Makes the refusal of a request as a whole, when no field is at fault. */
export const badRequest = (code: string, message: string) => new DomainError('bad-request', code, message);
/** Makes the refusal of what is not allowed, to this caller or to anybody at present. */
export const forbidden = (code: string, message: string) => new DomainError('forbidden', code, message);
/** Makes the refusal for what does not exist, or what the caller may not know of. */
export const notFound = (code: string, message: string) => new DomainError('not-found', code, message);
/** Makes the refusal of what contradicts the present state, or a concurrent change. */
export const conflict = (code: string, message: string) => new DomainError('conflict', code, message);
/** Makes the refusal of an invalid value. `field` names it, in PascalCase, and is prepended to the message. */
export const invalid = (code: string, field: string, message: string) =>
  new DomainError('invalid', code, message, field);
