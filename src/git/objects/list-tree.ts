import { inParts } from '../../values/in-parts.js';
import { GitLimitExceeded } from '../port/errors.js';
import type { Hash } from '../port/hash.js';
import type { Mode, TreeEntry, TreeOptions } from '../port/objects.js';
import type { GitProgram } from '../program/git-program.js';
import { NUL, splitRecords } from '../program/records.js';

const RECORD = /^(\d{6}) (blob|tree|commit) ([0-9a-f]{40}) +(\d+|-)\t(.*)$/s;

/** The number at which counting of entries stops, because a few small objects can unfold to any number of entries. */
const MAX_COUNTED = 1_000_000;

/** How large the entries of a page may be together by default: a tree of a few kilobytes can unfold to gigabytes of paths. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

/** Returns a page of a tree, and the number of its entries, counted up to a million. Rejects pages that are too large. */
export async function listTree(
  program: GitProgram,
  path: string,
  tree: Hash,
  { recursive = false, offset = 0, limit = Infinity, maxBytes = MAX_PAGE_BYTES }: TreeOptions,
): Promise<{ entries: TreeEntry[]; total: number }> {
  const entries: TreeEntry[] = [];
  let [total, bytes] = [0, 0];
  const take = (record: Buffer) => {
    if (total === MAX_COUNTED) return 'enough';
    if (total >= offset && entries.length < limit) {
      bytes += record.length;
      if (bytes > maxBytes) throw new GitLimitExceeded('bytes', 'the paths of a tree are too long');
      entries.push(parseEntry(record));
    }
    total += 1;
    return undefined;
  };
  const args = ['ls-tree', '-z', '--long', ...(recursive ? ['-r', '-t'] : []), tree];
  await program.stream(path, args, {}, splitRecords(NUL, take));
  return { entries, total };
}

/** The maximum total size of the paths given to one program as arguments. */
const MAX_ASKED_BYTES = 64 * 1024;

/** Returns the entries at these paths of a commit, by path; one program looks up many of them. */
export async function entriesOf(
  program: GitProgram,
  path: string,
  commit: Hash,
  treePaths: readonly string[],
): Promise<Map<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>();
  const asked = new Set(treePaths);
  const take = (record: Buffer) => {
    const entry = parseEntry(record);
    if (asked.has(entry.path)) entries.set(entry.path, entry);
  };
  for (const some of inParts(treePaths, MAX_ASKED_BYTES, (each) => Buffer.byteLength(each))) {
    const args = ['--literal-pathspecs', 'ls-tree', '-z', '--long', '-t', commit, '--', ...some];
    await program.stream(path, args, { codes: [0, 128] }, splitRecords(NUL, take));
  }
  return entries;
}

function parseEntry(record: Buffer): TreeEntry {
  const [, mode, type, hash = '', size, path = ''] = RECORD.exec(record.toString()) ?? [];
  return {
    path,
    mode: plainMode(mode ?? ''),
    type: type as TreeEntry['type'],
    hash,
    size: size === '-' ? null : Number(size),
  };
}

/** Normalises the mode of group-writable files, which old tools wrote and git treats as regular ones. */
const plainMode = (mode: string): Mode => (/^1006[0-7]4$/.test(mode) ? '100644' : mode) as Mode;
