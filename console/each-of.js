/** How many at once: more requests than a browser sends to one server, and few enough that it refuses none. */
const AT_ONCE = 10;

/**
 * Resolves with the result of `work` for each item, some at a time: of thousands of requests at once, a browser fails a
 * part. After a failure it starts no more.
 *
 * @template T, Result
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<Result>} work
 * @returns {Promise<Result[]>}
 */
export async function eachOf(items, work) {
  /** @type {Result[]} */
  const results = [];
  const left = items.entries();
  let failed = false;
  const worker = async () => {
    for (let next = left.next(); !next.done && !failed; next = left.next()) {
      const [index, item] = next.value;
      results[index] = await work(item);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    failed = true;
  }
  return results;
}
