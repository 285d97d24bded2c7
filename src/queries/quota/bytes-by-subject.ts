import type { Usage } from '../../domain/quota/subjects.js';

/** Bytes by subject, as decimal strings, because JSON numbers would lose digits. */
export type BytesBySubject = Readonly<Record<string, string>>;

/** Parses the bytes of each subject into exact numbers. Absent subjects stay absent. */
export const bytesBySubject = (digits: BytesBySubject): Usage =>
  Object.fromEntries(Object.entries(digits).map(([subject, bytes]) => [subject, BigInt(bytes)]));
