import { readdir, readFile } from 'node:fs/promises';

/** The processes that a process has started and that run, with that word among their arguments. */
export async function childrenOf(parent: number, word: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const [stat, words] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${entry}/${file}`, 'utf8').catch(() => '')),
    );
    const [, ppid] = /^\d+ \(.*\) \S+ (\d+)/.exec(stat ?? '') ?? [];
    if (Number(ppid) === parent && words?.split('\0').includes(word)) found.push(Number(entry));
  }
  return found;
}
