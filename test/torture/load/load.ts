import { Random } from '../../support/random.js';
import { compareRepository } from '../check/repository.js';
import type { Kind, Step } from '../plan/steps.js';
import type { Session } from '../session.js';
import { createUser, deleteUser } from './accounts.js';
import { createBranch, deleteBranch, deleteFile, writeFile } from './contents.js';
import { hook } from './hooks.js';
import { comment, createLabel, editIssue, openIssue, setLabels } from './issues.js';
import {
  addMember,
  createOrganization,
  createTeam,
  deleteOrganization,
  leaveLastOwner,
  removeMember,
} from './organizations.js';
import { push, pushDeletion } from './pushes.js';
import { quota } from './quota.js';
import { createRepository, deleteRepository, forkRepository, transferRepository } from './repositories.js';

const KINDS: Readonly<Record<Kind, (session: Session, random: Random) => Promise<void>>> = {
  quota,
  createUser,
  deleteUser,
  createOrganization,
  deleteOrganization,
  createTeam,
  addMember,
  removeMember,
  leaveLastOwner,
  createRepository,
  deleteRepository,
  transferRepository,
  forkRepository,
  writeFile,
  deleteFile,
  createBranch,
  deleteBranch,
  push,
  pushDeletion,
  openIssue,
  editIssue,
  createLabel,
  setLabels,
  comment,
  hook,
  read,
};

/** Takes one step after the other until `signal` is aborted; the last one is taken to its end. */
export async function work(session: Session, steps: Iterable<Step>, signal: AbortSignal): Promise<void> {
  for (const { kind, seed, keyed, patienceMs } of steps) {
    if (signal.aborted) return;
    session.how = { keyed, patienceMs };
    await KINDS[kind](session, new Random(seed));
  }
}

/** The next read shows what was acknowledged. */
async function read(session: Session, random: Random): Promise<void> {
  const place = session.somewhere(random);
  await compareRepository(session, place);
}
