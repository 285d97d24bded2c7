import { notFound, type DomainError } from '../../domain/errors.js';

/** Makes the 404 for a user or organization; the words do not tell whether it exists but is hidden from the caller. */
export const accountAbsent = (): DomainError => notFound('account.absent', 'no such user or organization');
