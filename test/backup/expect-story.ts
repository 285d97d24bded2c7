import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import type { GitClient } from '../git-http/client.js';
import { clientOf } from '../support/client.js';
import { ADMIN } from '../support/processes/site.js';
import type { Installation } from '../support/processes/installation.js';
import { Receiver } from '../webhooks/receiver.js';
import { ALICE, RULE, SECRET } from './story.js';

/** Everything that was told is there, and people, git and hooks, which may call this machine, can go on. */
export async function expectStory(
  { address, admin }: Installation,
  client: GitClient,
  name: string,
): Promise<void> {
  const alice = clientOf(() => address, ALICE);
  expect((await alice.get('/user')).json).to.deep.include({ full_name: 'Alice Liddell' });
  expect((await admin.get('/admin/quota/groups/starter')).json).to.deep.equal({
    name: 'starter',
    rules: [RULE],
  });
  expect((await admin.get('/orgs/wonderland')).status).to.equal(200);
  expect((await admin.get('/repos/root/book/issues/1')).json).to.deep.include({ title: 'Late', comments: 1 });
  expect((await admin.get('/repos/root/book/issues/1/comments')).json).to.have.nested.property(
    '[0].body',
    'Very late',
  );
  const receiver = await Receiver.open();
  const { json: hooks } = await admin.get('/repos/root/book/hooks');
  const [hook] = hooks as { id: number }[];
  await admin.patch(`/repos/root/book/hooks/${hook?.id}`, { config: { url: receiver.target.url } });

  const url = new URL(`${address}/root/book.git`);
  url.username = ADMIN.username;
  url.password = encodeURIComponent(ADMIN.password);
  await client.git(['clone', '--quiet', url.href, name]);
  await client.commit(name, { 'chapter.txt': 'Down the Rabbit-Hole\n' });
  await client.git(['push', '--quiet'], { in: name });

  await receiver.has(1);
  await receiver.close();
  for (const { headers, body } of receiver.received)
    expect(headers['x-hub-signature-256']).to.equal(
      `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
    );
}
