import type { Random } from '../../support/random.js';
import type { PushResult } from '../git.js';
import type { Place, Session } from '../session.js';

const BRANCHES = 3;
const MOST_BYTES = 8_000;

/** The first branch of an empty repository would be its default one, and stay. */
const hasMain = ({ model }: Place): boolean => model.branches.get('main') !== undefined;

/** A commit to a branch of the client's own, after the one before or in its place. */
export async function push(session: Session, random: Random): Promise<void> {
  const { git } = session.options;
  const place = session.somewhere(random, hasMain);
  const { branches, owed } = place.model;
  const branch = branches.undoubted(session.some('p', random, BRANCHES));
  const before = branches.get(branch);
  const follows = before !== undefined && random.chance(0.7) && (await git.has(before));
  const commit = await git.commit(random, random.below(MOST_BYTES), follows ? before : undefined);
  const result = await pushed(session, place, branch, commit);
  if (result === 'refused') return;
  branches.note(result === 'done' ? {} : undefined, branch, commit);
  if (result === 'done') owed.add(`push ${commit}`);
}

export async function pushDeletion(session: Session, random: Random): Promise<void> {
  const place = session.somewhere(random);
  const own = place.model.branches.names.filter((name) => name.startsWith(`${session.name}-p`));
  const branch = random.anyOf(own);
  if (branch === undefined) return;
  const result = await pushed(session, place, branch, undefined);
  if (result !== 'refused') place.model.branches.note(result === 'done' ? {} : undefined, branch, undefined);
}

/** Pushes, and again while nobody knows what came of it, as people do; some never look again. */
async function pushed(
  session: Session,
  { name }: Place,
  branch: string,
  commit: string | undefined,
): Promise<PushResult> {
  const { git, gitUrl, caller, isLimited } = session.options;
  const attempts = session.how.keyed ? 20 : 1;
  for (let attempt = 1; ; attempt += 1) {
    const patience = attempt === 1 ? session.how.patienceMs : 60_000;
    const { result, told } = await git.push(gitUrl(name), branch, commit, patience);
    if (result === 'done') return result;
    // An attempt that was cut off may have been carried out by now, or still be under way.
    if (result === 'refused') {
      if (attempt > 1) return 'unknown';
      const isQuota = isLimited && name.startsWith(`${session.name}/`) && told.includes('quota exceeded');
      if (!isQuota) session.violation(`push to ${branch} of ${name} was refused: ${told}`);
      return result;
    }
    await caller.recovered();
    if (attempt === attempts) return result;
  }
}
