import { List } from 'immutable';

/**
 * The subjects that a quota can limit, as a tree: a rule on a subject covers everything below it. The strings are those
 * of the API and are stored in events. `none` stands alone, and nothing is counted under it.
 */
const parents = {
  none: undefined,
  'size:all': undefined,
  'size:git:all': 'size:all',
  'size:repos:all': 'size:git:all',
  'size:repos:public': 'size:repos:all',
  'size:repos:private': 'size:repos:all',
  'size:git:lfs': 'size:git:all',
  'size:assets:all': 'size:all',
  'size:assets:attachments:all': 'size:assets:all',
  'size:assets:attachments:issues': 'size:assets:attachments:all',
  'size:assets:attachments:releases': 'size:assets:attachments:all',
  'size:assets:artifacts': 'size:assets:all',
  'size:assets:packages:all': 'size:assets:all',
  'size:assets:wiki': 'size:assets:all',
} as const;

/** A node of that tree: what a rule limits, and what bytes are requested under. */
export type QuotaSubject = keyof typeof parents;

/** A subject that bytes are counted under; the others are sums of these. */
export type UsageSubject = (typeof usageSubjects)[number];

export const usageSubjects = [
  'size:repos:public',
  'size:repos:private',
  'size:git:lfs',
  'size:assets:attachments:issues',
  'size:assets:attachments:releases',
  'size:assets:artifacts',
  'size:assets:packages:all',
] as const satisfies readonly QuotaSubject[];

/** Returns the subject that the bytes of a repository count under. */
export const subjectOf = ({ isPrivate }: { readonly isPrivate: boolean }): UsageSubject =>
  isPrivate ? 'size:repos:private' : 'size:repos:public';

/** Bytes by subject; 0 for absent subjects. */
export type Usage = Partial<Readonly<Record<UsageSubject, bigint>>>;

/** Adds two usages, subject by subject. */
export const plus = (usage: Usage, more: Usage): Usage =>
  Object.fromEntries(
    usageSubjects.map((subject) => [subject, (usage[subject] ?? 0n) + (more[subject] ?? 0n)]),
  );

/** Tells whether a text is exactly the name of a subject; letter case counts. */
export const isQuotaSubject = (text: string): text is QuotaSubject => Object.hasOwn(parents, text);

/** Tells whether a rule on `ancestor` covers `subject`: it is the same subject or one above it. */
export function covers(ancestor: QuotaSubject, subject: QuotaSubject): boolean {
  for (let at: QuotaSubject | undefined = subject; at !== undefined; at = parents[at]) {
    if (at === ancestor) return true;
  }
  return false;
}

/** Returns the bytes counted under any of the subjects. Bytes that two of them share are counted once. */
export const usedUnder = (subjects: readonly QuotaSubject[], usage: Usage): bigint =>
  usageSubjects
    .filter((leaf) => subjects.some((subject) => covers(subject, leaf)))
    .reduce((sum, leaf) => sum + (usage[leaf] ?? 0n), 0n);

/** Returns the other one of the two subjects that a repository can be counted under; undefined for all other subjects. */
export function siblingOf(subject: UsageSubject): UsageSubject | undefined {
  if (subject === 'size:repos:public') return 'size:repos:private';
  return subject === 'size:repos:private' ? 'size:repos:public' : undefined;
}

/** Returns a text that is the same for the same set of subjects, in whichever order they are listed. */
export const setKey = (subjects: readonly QuotaSubject[]): string => [...new Set(subjects)].sort().join(' ');

/** Returns a function that finds those of a list that have a set of subjects. Looks at each of the list once. */
export function bySubjects<T extends { readonly subjects: readonly QuotaSubject[] }>(
  all: readonly T[],
): (subjects: readonly QuotaSubject[]) => readonly T[] {
  const found = List(all).groupBy((each) => setKey(each.subjects));
  return (subjects) => found.get(setKey(subjects))?.toArray() ?? [];
}
