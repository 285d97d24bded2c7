/**
 * Splits items into consecutive batches. A batch ends with the item that brings its weight to `most`; items weigh 1 by
 * default.
 */
export function* inParts<T>(
  items: Iterable<T>,
  most: number,
  weigh: (item: T) => number = () => 1,
): Iterable<readonly T[]> {
  let [part, weight]: [T[], number] = [[], 0];
  for (const item of items) {
    part.push(item);
    weight += weigh(item);
    if (weight < most) continue;
    yield part;
    [part, weight] = [[], 0];
  }
  if (part.length > 0) yield part;
}
