import { invalid } from '../../domain/errors.js';
import { queryTime } from '../schema.js';

/** Returns a time in UTC, as events hold it. */
export const instant = (text: string): string => new Date(text).toISOString();

/** The parameters of a time range: `since`, which generated clients call `string`, and `before`. */
export const timeRange = { since: queryTime, string: queryTime, before: queryTime };

/** A query's time range, both ends included; `string` is an older name of `since`. */
export interface TimeRange {
  readonly since?: Date | undefined;
  readonly string?: Date | undefined;
  readonly before?: Date | undefined;
}

/** Returns the ends of a range. Throws 422 if `since` and `string` differ. */
export function rangeOf({ since, string, before }: TimeRange): Pick<TimeRange, 'since' | 'before'> {
  if (since && string && since.getTime() !== string.getTime())
    throw invalid('issues.since', 'Since', 'must be the same time as string');
  return { since: since ?? string, before };
}
