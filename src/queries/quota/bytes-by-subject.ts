import type { Usage } from '../../domain/quota/subjects.js';

/** Bytes by subject, as JSON that keeps every digit has them. */
export type Digits = Readonly<Record<string, string>>;

/** Such digits as exact numbers; a subject that is absent stays absent. */
export const bytesBySubject = (digits: Digits): Usage =>
  Object.fromEntries(Object.entries(digits).map(([subject, bytes]) => [subject, BigInt(bytes)]));
