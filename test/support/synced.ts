import { open, readlink } from 'node:fs/promises';

/** Runs `work`; resolves with the paths that were synced to disk meanwhile, by the names that they had then. */
export async function syncedBy(work: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const synced = new Set<string>();
  const some = await open('.', 'r');
  const handles = Object.getPrototypeOf(some) as Pick<typeof some, 'sync'>;
  await some.close();
  const { sync } = handles;
  handles.sync = async function recorded(this: typeof some) {
    synced.add(await readlink(`/proc/self/fd/${this.fd}`));
    await sync.call(this);
  };
  try {
    await work();
  } finally {
    handles.sync = sync;
  }
  return synced;
}
