import { ADMIN, type Site } from '../support/processes/site.js';

export const ALICE = { username: 'alice', password: 'correct horse' };
export const RULE = { name: 'small', limit: 1_000_000, subjects: ['size:all'] };

/** What the hook signs with. */
export const SECRET = 'tea';

/** A little of everything that an installation can hold, told by its administrator. */
const STORY: readonly (readonly [method: string, path: string, body?: object])[] = [
  [
    'POST',
    '/admin/users',
    { ...ALICE, email: 'alice@example.org', full_name: 'Alice Liddell', must_change_password: false },
  ],
  ['POST', '/admin/quota/groups', { name: 'starter', rules: [RULE] }],
  ['PUT', '/admin/quota/groups/starter/users/alice'],
  ['POST', '/orgs', { username: 'wonderland' }],
  ['POST', '/user/repos', { name: 'book', auto_init: true }],
  ['POST', '/repos/root/book/labels', { name: 'bug', color: '#ff0000' }],
  ['POST', '/repos/root/book/issues', { title: 'Late', body: 'It is *late*' }],
  ['POST', '/repos/root/book/issues/1/comments', { body: 'Very late' }],
  [
    'POST',
    '/repos/root/book/hooks',
    {
      type: 'forgejo',
      config: { url: 'https://hooks.example.org/', content_type: 'json', secret: SECRET },
      events: ['push'],
      active: true,
    },
  ],
];

/** Fills a site. Without chai and mocha: a program does it too. */
export async function tellStory({ address }: Site): Promise<void> {
  const authorization = `Basic ${Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString('base64')}`;
  for (const [method, path, body] of STORY) {
    const answer = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  }
}
