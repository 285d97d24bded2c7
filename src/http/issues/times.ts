import { invalid } from '../../domain/errors.js';
import { queryTime } from '../schema.js';

/** `since`, which generated clients call `string`, and `before`. */
export const timeRange = { since: queryTime, string: queryTime, before: queryTime };

/** The ends of a range as queries give them, both included; `string` is an older word for `since`. */
export interface TimeRange {
  readonly since?: Date | undefined;
  readonly string?: Date | undefined;
  readonly before?: Date | undefined;
}

/** The two ends that a query gives. Refuses where its two words for one end differ. */
export function rangeOf({ since, string, before }: TimeRange): Pick<TimeRange, 'since' | 'before'> {
  if (since && string && since.getTime() !== string.getTime())
    throw invalid('issues.since', 'Since', 'must be the same time as string');
  return { since: since ?? string, before };
}
