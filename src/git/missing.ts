import type { Layout } from './disk/layout.js';

/** Runs `work`. If it fails and the repository is gone, rejects with `GitRepositoryMissing` instead of its error. */
export async function unlessRemoved<T>(
  layout: Pick<Layout, 'existing'>,
  id: number,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await layout.existing(id); // it may have been removed meanwhile
    throw error;
  }
}

type Method = (...given: unknown[]) => Promise<unknown>;

/** Wraps methods with `unlessRemoved`, for `repository` or, by default, for the one whose id is their first argument. */
export const eachUnlessRemoved = <Methods extends object>(
  layout: Pick<Layout, 'existing'>,
  methods: Methods,
  repository?: number,
): Methods => {
  const safe =
    (method: Method): Method =>
    (...given) => {
      const id = repository ?? given[0];
      return typeof id === 'number' ? unlessRemoved(layout, id, () => method(...given)) : method(...given);
    };
  return Object.fromEntries(
    Object.entries(methods).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'function' ? safe(value as Method) : value,
    ]),
  ) as Methods;
};
