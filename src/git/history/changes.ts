import type { Hash } from '../port/hash.js';
import type { ChangedFile, Changes } from '../port/history.js';
import type { GitProgram } from '../program/git-program.js';
import { NUL, splitRecords } from '../program/records.js';

const STATUS: Readonly<Record<string, ChangedFile['status']>> = { A: 'added', D: 'removed' };

/** Of the paths that are listed: a push of a few kilobytes can name gigabytes of them. */
const MAX_LISTED_BYTES = 1024 * 1024;

/** What changed between two trees. git names every file, then every file's lines. */
export async function changesBetween(
  program: GitProgram,
  path: string,
  { before, after }: { readonly before: Hash; readonly after: Hash },
  limit: number,
): Promise<Changes> {
  const files = new Map<string, ChangedFile>();
  let [total, additions, deletions, listed] = [0, 0, 0, 0];
  let status: string | undefined;
  const take = (record: Buffer) => {
    const text = record.toString();
    if (status !== undefined) {
      listed += record.length;
      if (files.size < limit && listed <= MAX_LISTED_BYTES)
        files.set(text, { path: text, status: STATUS[status] ?? 'modified', additions: 0, deletions: 0 });
      total += 1;
      status = undefined;
    } else if (text.startsWith(':')) {
      status = text.at(-1);
    } else {
      const [, more, less, name = ''] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(text) ?? [];
      const lines = { additions: Number(more) || 0, deletions: Number(less) || 0 };
      additions += lines.additions;
      deletions += lines.deletions;
      const file = files.get(name);
      if (file) files.set(name, { ...file, ...lines });
    }
  };
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--raw',
    '--numstat',
    before,
    after,
  ];
  await program.stream(path, args, {}, splitRecords(NUL, take));
  return { files: [...files.values()], total, additions, deletions };
}
