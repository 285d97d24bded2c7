import { DomainError, notFound } from '../../domain/errors.js';

const CODE = 'account.absent';

/** 404 for a user or organization, in one wording whether there is none or the caller may not know of it. */
export const accountAbsent = (): DomainError => notFound(CODE, 'no such user or organization');

/** Whether somebody was refused because a name names no account, and not for another reason. */
export const isAccountAbsent = (error: unknown): boolean =>
  error instanceof DomainError && error.code === CODE;
