import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { countStorage } from '../commands/repositories/count-storage.js';
import {
  clearAway,
  differences,
  rollForward,
  type RollingServices,
} from '../commands/repositories/roll-forward.js';
import { countAsVisible } from '../commands/repositories/visibility.js';
import { systemCommand } from '../commands/context.js';
import { wasGiven } from '../commands/ids.js';
import { subjectOf } from '../domain/quota/subjects.js';
import { GitError } from '../git/port/errors.js';
import { keyOf, placeOf } from '../domain/quota/storage-ledger-state.js';
import { StorageLedger } from '../domain/quota/storage-ledger.js';
import { exists } from '../files/presence.js';
import { Repository, type RepositoryState } from '../domain/repositories/repository.js';

/** Whether findings are repaired, and the clock for the age of leftovers and reservations; by default the system's. */
export interface ReconcileOptions {
  /** Reports findings without repairing them. */
  readonly dryRun: boolean;
  readonly now?: () => Date;
}

/** A difference between disk and log. */
export interface Finding {
  readonly repositoryId: number;
  readonly text: string;
  readonly isMended: boolean;
}

/** The minimum age of a leftover folder: a younger one may belong to a repository that is being created. */
const MADE_WITHIN_MS = 60 * 60 * 1000;
/** The minimum age of a leftover quarantine, longer than any push takes. */
const ARRIVES_WITHIN_MS = 24 * 60 * 60 * 1000;

/**
 * Compares a repository on disk with the log and with its owner's storage ledger; brings the disk to the state of the log,
 * and the ledger to that of the disk. A repository that git cannot read is a finding. Servers may run meanwhile.
 */
export function reconcile(
  services: RollingServices,
  repositoryId: number,
  options: ReconcileOptions,
): Promise<Finding[]> {
  return services.repositoryLocks.run(repositoryId, async () => {
    const { state } = await services.commands.load(Repository, repositoryId);
    if (state.status !== 'exists') {
      // Also if it is no repository, but what git made of the folder of one that was deleted while a push came in.
      const isOnDisk = await exists(services.git.pathOf(repositoryId));
      return isOnDisk ? leftover(services, repositoryId, state.status, options) : [];
    }
    if (!(await services.git.exists(repositoryId)))
      return [{ repositoryId, text: 'is not on disk', isMended: false }];
    try {
      return [
        ...(await refs(services, repositoryId, options)),
        ...(await quarantines(services, repositoryId, options)),
        ...(await bytes(services, repositoryId, state, options)),
      ];
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      return [{ repositoryId, text: `cannot be compared: ${error.message}`, isMended: false }];
    }
  });
}

async function leftover(
  services: RollingServices,
  repositoryId: number,
  status: RepositoryState['status'],
  options: ReconcileOptions,
): Promise<Finding[]> {
  if (status === 'absent') {
    if (!(await isOlder(services.git.pathOf(repositoryId), MADE_WITHIN_MS, options))) return [];
    if (!(await wasGiven(services.commands, 'repository', repositoryId))) {
      const text =
        'is on disk, and this log never gave its number: it may belong to another log, and is left';
      return [{ repositoryId, text, isMended: false }];
    }
  }
  const text = status === 'deleted' ? 'was deleted and is on disk' : 'never came to be and is on disk';
  if (options.dryRun) return [{ repositoryId, text, isMended: false }];
  if (status === 'deleted') await clearAway(services, repositoryId, systemCommand());
  else await services.git.remove(repositoryId);
  return [{ repositoryId, text: `${text}: removed`, isMended: true }];
}

async function refs(
  services: RollingServices,
  repositoryId: number,
  { dryRun }: ReconcileOptions,
): Promise<Finding[]> {
  const { changes, head } = await differences(services, repositoryId);
  if (changes.length === 0 && head === undefined) {
    if (!dryRun) await services.repositoryLocks.pending.clear(repositoryId);
    return [];
  }
  const told = [
    ...changes.map(
      ({ ref, before, after }) => `${ref} is at ${before ?? 'nothing'}, the log says ${after ?? 'nothing'}`,
    ),
    ...(head === undefined ? [] : [`HEAD does not name ${head}`]),
  ];
  const found = (suffix: string, isMended: boolean) =>
    told.map((text) => ({ repositoryId, text: text + suffix, isMended }));
  if (dryRun) return found('', false);
  try {
    await rollForward(services, repositoryId);
    return found(': brought there', true);
  } catch (error) {
    return found(` and cannot be brought there: ${(error as Error).message}`, false);
  }
}

/** Removes the quarantined objects of pushes that were killed before they could. */
async function quarantines(
  { git }: RollingServices,
  repositoryId: number,
  options: ReconcileOptions,
): Promise<Finding[]> {
  const objects = join(git.pathOf(repositoryId), 'objects');
  const findings: Finding[] = [];
  for (const name of await readdir(objects)) {
    if (!name.startsWith('tmp_objdir-') || !(await isOlder(join(objects, name), ARRIVES_WITHIN_MS, options)))
      continue;
    if (!options.dryRun) await rm(join(objects, name), { recursive: true, force: true });
    const text = `${name} was left by a push that was cut off${options.dryRun ? '' : ': removed'}`;
    findings.push({ repositoryId, text, isMended: !options.dryRun });
  }
  return findings;
}

/**
 * Compares the repository's size with its owner's ledger. While a reservation is open, the operation that holds it will
 * record the size.
 */
async function bytes(
  services: RollingServices,
  repositoryId: number,
  { ownerId, isPrivate }: RepositoryState,
  { dryRun, now = () => new Date() }: ReconcileOptions,
): Promise<Finding[]> {
  const { commands, git } = services;
  const objectId = String(repositoryId);
  const measured = await git.sizeOf(repositoryId);
  const ledger = (await commands.load(StorageLedger, ownerId)).state;
  const subject = subjectOf({ isPrivate });
  const place = placeOf(ledger, objectId, subject);
  const counted = ledger.entries.get(keyOf(objectId, place)) ?? 0n;
  const isReserved = ledger.reservations.some(
    (reservation) => reservation.objectId === objectId && new Date(reservation.expiresAt) > now(),
  );
  if ((measured === counted && place === subject) || isReserved) return [];
  if (!dryRun) {
    await countStorage(services, repositoryId, systemCommand());
    await countAsVisible(services, repositoryId, systemCommand());
  }
  const under = place === subject ? '' : ` under ${place}, not ${subject}`;
  const text = `takes ${measured} bytes, its owner's ledger says ${counted}${under}${dryRun ? '' : ': recorded'}`;
  return [{ repositoryId, text, isMended: !dryRun }];
}

async function isOlder(
  path: string,
  ms: number,
  { now = () => new Date() }: ReconcileOptions,
): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined);
  return facts !== undefined && now().getTime() - facts.mtimeMs > ms;
}
