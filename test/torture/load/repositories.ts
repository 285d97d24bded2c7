import type { Random } from '../../support/random.js';
import { readBranches, readFiles } from '../check/repository.js';
import { RepositoryModel } from '../model/repository.js';
import type { Session } from '../session.js';

const REPOSITORIES = 5;

export async function createRepository(session: Session, random: Random): Promise<void> {
  const { repositories, contents, organizations } = session.world;
  const organization = random.chance(0.3) ? random.anyOf(organizations.names) : undefined;
  const place = repositories.undoubted(`${organization ?? session.name}/r${random.below(REPOSITORIES)}`);
  const [, name] = place.split('/');
  const body = { name, auto_init: random.chance(0.8), private: random.chance(0.4), default_branch: 'main' };
  const isFree = repositories.isFree(place);
  const path = organization === undefined ? '/user/repos' : `/orgs/${organization}/repos`;
  const mayBeFull = session.options.isLimited && organization === undefined;
  const result = await session.write(
    'POST',
    path,
    body,
    ...(isFree ? [201] : [409]),
    ...(mayBeFull ? [413] : []),
  );
  if (result === 'refused') return;
  repositories.note(result, place, 'there');
  const model = new RepositoryModel(`${session.name}-`, false);
  contents.set(place, model);
  if (!result) return;
  model.owed.add(`repository ${(result.json as { id: number }).id}`);
  // The first commit is the server's.
  for (const [branch, commit] of await readBranches(session.options.caller, place))
    model.branches.set(branch, commit);
  for (const [file, blob] of await readFiles(session.options.caller, place)) model.files.set(file, blob);
}

export async function deleteRepository(session: Session, random: Random): Promise<void> {
  const place = random.anyOf(session.repositories());
  if (!place) return;
  const { name, model } = place;
  const result = await session.write('DELETE', `/repos/${name}`, undefined, 204);
  if (result === 'refused') return;
  session.world.repositories.note(result, name, undefined);
  model.owed.clear();
}

/** Between the client and its organizations, so that it happens at once. */
export async function transferRepository(session: Session, random: Random): Promise<void> {
  const { repositories, contents, organizations } = session.world;
  const place = random.anyOf(session.repositories());
  const owner = random.pick([session.name, ...organizations.names]);
  if (!place) return;
  const [oldOwner, base = ''] = place.name.split('/');
  const name = `${owner}/${base}`;
  if (owner === oldOwner || repositories.get(name) !== undefined || !repositories.isFree(name)) return;
  const statuses = owner === session.name && session.options.isLimited ? [202, 413] : [202];
  const path = `/repos/${place.name}/transfer`;
  const result = await session.write('POST', path, { new_owner: owner }, ...statuses);
  if (result === 'refused') return;
  repositories.note(result, place.name, undefined);
  repositories.note(result, name, 'there');
  contents.set(name, place.model);
}

/** Into an organization of the client's. */
export async function forkRepository(session: Session, random: Random): Promise<void> {
  const { repositories, contents, organizations } = session.world;
  const place = random.anyOf(session.repositories());
  const organization = random.anyOf(organizations.names);
  if (!place || organization === undefined || place.name.startsWith(`${organization}/`)) return;
  const name = repositories.undoubted(`${organization}/k${random.below(REPOSITORIES)}`);
  if (!repositories.isFree(name)) return;
  const body = { organization, name: name.split('/')[1] };
  // An organization has one fork of a repository; an empty one has nothing to fork.
  const result = await session.write('POST', `/repos/${place.name}/forks`, body, 202, 409, 422);
  if (result === 'refused') return;
  repositories.note(result, name, 'there');
  contents.set(name, place.model.forked());
}
