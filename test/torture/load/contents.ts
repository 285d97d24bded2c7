import type { Random } from '../../support/random.js';
import { blobId } from '../git.js';
import type { Place, Result, Session } from '../session.js';

const FILES = 6;
const BRANCHES = 4;
const MOST_BYTES = 3_000;

interface Written {
  readonly commit: { readonly sha: string };
  readonly content: { readonly sha: string } | null;
}

/** Whether a quota may say no there. */
const refusals = (session: Session, { name }: Place): readonly number[] =>
  session.options.isLimited && name.startsWith(`${session.name}/`) ? [413] : [];

/** A place where the client can write to `main`: in the shared one all clients do, at the same time. */
function writable(session: Session, random: Random): Place | undefined {
  const place = session.somewhere(random);
  const { isShared, branches } = place.model;
  return isShared || branches.isFree('main') || branches.get('main') !== undefined ? place : undefined;
}

/** Notes what a commit to `main` came to. */
function committed({ model }: Place, result: Exclude<Result, 'refused'>): void {
  const sha = (result?.json as Written | undefined)?.commit.sha;
  if (sha !== undefined) model.owed.add(`push ${sha}`);
  if (model.isShared) return;
  if (sha === undefined) model.branches.loosen('main');
  else model.branches.set('main', sha);
}

export async function writeFile(session: Session, random: Random): Promise<void> {
  const place = writable(session, random);
  if (!place) return;
  const { files } = place.model;
  const path = files.undoubted(session.some('f', random, FILES));
  const content = `${session.fresh('content')} ${'x'.repeat(random.below(MOST_BYTES))}\n`;
  const before = files.get(path);
  const body = {
    content: Buffer.from(content).toString('base64'),
    message: path,
    branch: 'main',
    ...(before !== undefined && { sha: before }),
  };
  const [method, status] = before === undefined ? (['POST', 201] as const) : (['PUT', 200] as const);
  const url = `/repos/${place.name}/contents/${path}`;
  const result = await session.write(method, url, body, status, ...refusals(session, place));
  if (result === 'refused') return;
  files.note(result, path, blobId(content));
  committed(place, result);
}

export async function deleteFile(session: Session, random: Random): Promise<void> {
  const place = writable(session, random);
  const path = place && random.anyOf(place.model.files.names.filter((name) => name.startsWith(session.name)));
  if (!place || path === undefined) return;
  const body = { sha: place.model.files.get(path), message: `without ${path}`, branch: 'main' };
  const url = `/repos/${place.name}/contents/${path}`;
  const result = await session.write('DELETE', url, body, 200, ...refusals(session, place));
  if (result === 'refused') return;
  place.model.files.note(result, path, undefined);
  committed(place, result);
}

export async function createBranch(session: Session, random: Random): Promise<void> {
  const place = random.anyOf(session.repositories());
  const main = place?.model.branches.get('main');
  if (!place || main === undefined) return;
  const { branches } = place.model;
  const name = branches.undoubted(session.some('b', random, BRANCHES));
  const isFree = branches.isFree(name);
  const body = { new_branch_name: name, old_branch_name: 'main' };
  const statuses = [isFree ? 201 : 409, ...refusals(session, place)];
  const result = await session.write('POST', `/repos/${place.name}/branches`, body, ...statuses);
  if (result !== 'refused') branches.note(result, name, main);
}

export async function deleteBranch(session: Session, random: Random): Promise<void> {
  const place = random.anyOf(session.repositories());
  const branch = place && random.anyOf(place.model.branches.names.filter((name) => name !== 'main'));
  if (!place || branch === undefined) return;
  const result = await session.write('DELETE', `/repos/${place.name}/branches/${branch}`, undefined, 204);
  if (result !== 'refused') place.model.branches.note(result, branch, undefined);
}
