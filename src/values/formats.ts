import { z } from 'zod';
import { isStorableTime } from '../domain/storable-time.js';

/** An RFC 3339 time in the years 1 to 9999 of UTC. With an offset others can be written, but neither stored nor shown. */
export const time = z.iso
  .datetime({ offset: true, error: 'must be an RFC 3339 time' })
  .refine((text) => isStorableTime(new Date(text)), { error: 'must be between the years 1 and 9999' });

/** Tells whether a text is a natural number that fits in a signed 64-bit integer. */
export const isNatural = (text: string): boolean => /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n;
