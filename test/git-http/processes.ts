import { readdir, readFile } from 'node:fs/promises';

/** The running processes below another one, at any depth, with that word among their arguments. */
export async function descendantsOf(ancestor: number, word: string): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const [, parent] = /^\d+ \(.*\) \S+ (\d+)/s.exec(await read(`/proc/${entry}/stat`)) ?? [];
    parents.set(Number(entry), Number(parent));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === ancestor || isBelow(parent));
  };
  const found: number[] = [];
  for (const pid of parents.keys())
    if (isBelow(pid) && (await read(`/proc/${pid}/cmdline`)).split('\0').includes(word)) found.push(pid);
  return found;
}

const read = (path: string) => readFile(path, 'utf8').catch(() => '');
