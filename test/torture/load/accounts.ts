import type { Random } from '../../support/random.js';
import type { Session } from '../session.js';

const NAMES = 4;

export async function createUser(session: Session, random: Random): Promise<void> {
  const { users } = session.world;
  const username = users.undoubted(session.some('x', random, NAMES));
  const there = !users.isFree(username);
  const body = { username, email: `${username}@example.org`, password: 'correct horse' };
  const result = await session.writeAsAdmin('POST', '/admin/users', body, there ? 422 : 201);
  if (result !== 'refused') users.note(result, username, 'there');
}

export async function deleteUser(session: Session, random: Random): Promise<void> {
  const { users } = session.world;
  const username = users.undoubted(session.some('x', random, NAMES));
  const there = !users.isFree(username);
  const result = await session.writeAsAdmin(
    'DELETE',
    `/admin/users/${username}`,
    undefined,
    there ? 204 : 404,
  );
  if (result !== 'refused') users.note(result, username, undefined);
}
