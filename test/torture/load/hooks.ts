import type { Random } from '../../support/random.js';
import type { Session } from '../session.js';

const HOOKS = 2;

/** Makes a hook of a repository, or deletes it where it is there. */
export async function hook(session: Session, random: Random): Promise<void> {
  const place = random.anyOf(session.repositories());
  if (!place) return;
  const { hooks } = place.model;
  const name = hooks.undoubted(session.some('h', random, HOOKS));
  const id = hooks.get(name);
  const path = `/repos/${place.name}/hooks`;
  if (id === undefined) {
    const config = { url: `${session.options.hookUrl}/${name}`, content_type: 'json' };
    const body = { type: 'forgejo', config, events: ['push', 'issues'], active: true };
    const result = await session.write('POST', path, body, 201);
    if (result === 'refused') return;
    if (result) hooks.set(name, String((result.json as { id: number }).id));
    else hooks.loosen(name);
  } else {
    const result = await session.write('DELETE', `${path}/${id}`, undefined, 204);
    if (result !== 'refused') hooks.note(result, name, undefined);
  }
}
