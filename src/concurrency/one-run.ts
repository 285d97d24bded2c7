/**
 * Returns a function that runs `work`, never twice at the same time. Whoever calls it during a run gets the next one, which
 * all such callers share: it begins after their calls, and so sees what they were made for.
 */
export function oneRun(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  const begin = () => {
    next = undefined;
    return (last = work());
  };
  return () => (next ??= last.then(begin, begin));
}
