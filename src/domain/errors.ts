/** Why a rule refused; `http/middleware/errors.ts` turns each kind into a status. */
export type RefusalKind =
  | 'bad-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition'
  | 'quota-exceeded'
  | 'invalid'
  | 'locked'
  | 'too-many';

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

/** For a request that cannot be granted as it is, where no field of it is named. */
export const badRequest = (code: string, message: string) => new DomainError('bad-request', code, message);
/** For what is not allowed, to this caller or to anybody as things stand. */
export const forbidden = (code: string, message: string) => new DomainError('forbidden', code, message);
/** For what is not there, or not as far as this caller may know. */
export const notFound = (code: string, message: string) => new DomainError('not-found', code, message);
/** For what contradicts what is there already, or what somebody else did meanwhile. */
export const conflict = (code: string, message: string) => new DomainError('conflict', code, message);
/** For a value that breaks a rule; `field` names it, in PascalCase, and stands in front of the message. */
export const invalid = (code: string, field: string, message: string) =>
  new DomainError('invalid', code, message, field);
