import { DomainError, notFound } from '../../domain/errors.js';

const CODE = 'account.absent';

/** Makes the 404 for a user or organization; the words do not tell whether it exists but is hidden from the caller. */
export const accountAbsent = (): DomainError => notFound(CODE, 'no such user or organization');

/** Tells whether an error says that no account has a certain name, rather than something else. */
export const isAccountAbsent = (error: unknown): boolean =>
  error instanceof DomainError && error.code === CODE;
