import { z } from 'zod';
import { isStorableTime } from './domain/storable-time.js';

/** RFC 3339, from year 1 to year 9999 of UTC: others can be written, with an offset, but neither stored nor shown. */
export const time = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 time' })
  .refine((text) => isStorableTime(new Date(text)), { error: 'must be between the years 1 and 9999' });

/** Whether a text is a natural number that fits in 64 bits. */
export const isNatural = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n;
