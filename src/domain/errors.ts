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

export const badRequest = (code: string, message: string) => new DomainError('bad-request', code, message);
export const forbidden = (code: string, message: string) => new DomainError('forbidden', code, message);
export const notFound = (code: string, message: string) => new DomainError('not-found', code, message);
export const conflict = (code: string, message: string) => new DomainError('conflict', code, message);
export const invalid = (code: string, field: string, message: string) =>
  new DomainError('invalid', code, message, field);
