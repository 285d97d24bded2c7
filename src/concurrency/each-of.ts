/**
 * Runs `work` for each item, `concurrency` at a time. After a failure it starts no more, and rejects once those running
 * are over.
 */
export async function eachOf<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async () => {
    for (let next = iterator.next(); !next.done && failures.length === 0; next = iterator.next())
      await work(next.value).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failures.length > 0) throw failures[0];
}
