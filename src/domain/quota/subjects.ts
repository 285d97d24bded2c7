/**
 * What a quota can limit, as a tree: a rule over a subject covers everything below it. The strings are those of the
 * API and are stored in events. `none` stands alone and counts nothing.
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

/** A place in that tree: what a rule limits, and what bytes are asked for under. */
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

/** Bytes by subject; a subject left out counts nothing. */
export type Usage = Partial<Readonly<Record<UsageSubject, bigint>>>;

/** Both together, subject by subject. */
export const plus = (usage: Usage, more: Usage): Usage =>
  Object.fromEntries(
    usageSubjects.map((subject) => [subject, (usage[subject] ?? 0n) + (more[subject] ?? 0n)]),
  );

/** Whether a text is exactly the name of a subject, letter case and all. */
export const isQuotaSubject = (text: string): text is QuotaSubject => Object.hasOwn(parents, text);

/** Whether a rule over `ancestor` covers `subject`: it is the same subject or stands above it. */
export function covers(ancestor: QuotaSubject, subject: QuotaSubject): boolean {
  for (let at: QuotaSubject | undefined = subject; at !== undefined; at = parents[at]) {
    if (at === ancestor) return true;
  }
  return false;
}

/** The bytes counted under any of the subjects; what two of them share is counted once. */
export const usedUnder = (subjects: readonly QuotaSubject[], usage: Usage): bigint =>
  usageSubjects
    .filter((leaf) => subjects.some((subject) => covers(subject, leaf)))
    .reduce((sum, leaf) => sum + (usage[leaf] ?? 0n), 0n);

/** Of the two subjects that a repository can be counted under, the other one; undefined for subjects of anything else. */
export function siblingOf(subject: UsageSubject): UsageSubject | undefined {
  if (subject === 'size:repos:public') return 'size:repos:private';
  return subject === 'size:repos:private' ? 'size:repos:public' : undefined;
}
