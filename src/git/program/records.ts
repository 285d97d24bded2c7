import { GitLimitExceeded } from '../port/errors.js';

/** The maximum length of a record. git itself has no limit, and a push of a few kilobytes can bring longer paths. */
const MAX_RECORD_BYTES = 1024 * 1024;

/** Returns a function that splits chunks into records at a separator byte. Throws `GitLimitExceeded` for a long record. */
export function splitRecords(
  separator: number,
  take: (record: Buffer) => unknown,
): (chunk: Buffer) => 'enough' | undefined {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = data.indexOf(separator); end >= 0; end = data.indexOf(separator)) {
      if (take(data.subarray(0, end)) === 'enough') return 'enough';
      data = data.subarray(end + 1);
    }
    if (data.length > MAX_RECORD_BYTES) throw new GitLimitExceeded('bytes', 'a path or name has no end');
    rest = Buffer.from(data); // a copy: the chunk's memory is not held
    return undefined;
  };
}

/**
 * Iterates over the texts in an output that each end with a separator byte. Each is made only when it is asked for, because
 * millions of them take many times the memory of the output.
 */
export function* textsIn(output: Buffer, separator: number): Generator<string, undefined> {
  let from = 0;
  for (let end = output.indexOf(separator); end >= 0; end = output.indexOf(separator, from)) {
    yield output.toString('utf8', from, end);
    from = end + 1;
  }
}

export const NUL = 0;
export const NEWLINE = 10;
