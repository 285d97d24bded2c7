/** Returns the ids that were added and removed; undefined if none was. */
export function idsChanged(before: readonly number[], after: readonly number[]) {
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  return added.length + removed.length > 0 ? { added, removed } : undefined;
}
