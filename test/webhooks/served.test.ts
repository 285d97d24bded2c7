import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { clientOf } from '../support/client.js';
import { until } from '../support/process.js';
import { Installation } from '../support/processes/installation.js';
import { Receiver, type Received } from './receiver.js';

const SECRET = 'a secret between us';
const OF_CAROL = { username: 'carol', password: 'correct horse' };

describe('webhooks as npm start serves them', () => {
  let installation: Installation;
  let receiver: Receiver;

  before(async () => {
    receiver = await Receiver.open();
    installation = await Installation.create({ ALLOW_LOCAL_NETWORKS: 'true' });
    await installation.start();
    await installation.isReady();
    await call('/user/repos', { name: 'project', auto_init: true });
    await call('/repos/root/project/hooks', {
      type: 'forgejo',
      active: true,
      events: ['create', 'push', 'delete', 'repository'],
      config: { url: receiver.target.url, content_type: 'json', secret: SECRET },
    });
  });
  after(async () => {
    await installation.remove();
    await receiver.close();
  });

  const call = async (path: string, body: unknown) => {
    const { status, text } = await installation.admin.post(path, body);
    expect(status, text).equals(201);
  };
  const branch = (name: string) =>
    call('/repos/root/project/branches', { new_branch_name: name, old_branch_name: 'main' });
  const inWords = ({ headers, body }: Received) => {
    const { ref, action } = JSON.parse(body) as { ref?: string; action?: string };
    return `${String(headers['x-forgejo-event'])} ${ref ?? action ?? ''}`;
  };
  /** Each delivery where it came first: one comes again if its dispatcher was killed before it had noted the answer. */
  const told = () => [...new Map(receiver.received.map((each) => [each.id, inWords(each)])).values()];

  it('send what happens, in order and signed', async () => {
    await branch('one');
    await until(() => told().length >= 2);
    expect(told()).deep.equals(['create refs/heads/one', 'push refs/heads/one']);
    for (const { headers, body } of receiver.received) {
      const signature = createHmac('sha256', SECRET).update(body).digest('hex');
      expect(headers['x-hub-signature-256']).equals(`sha256=${signature}`);
    }
  });

  it('lose nothing that happens while no dispatcher runs', async () => {
    const before = told().length;
    await installation.kill('dispatcher');
    await branch('two');
    await branch('three');
    await until(() => told().length >= before + 4);
    expect(told().slice(before)).deep.equals([
      'create refs/heads/two',
      'push refs/heads/two',
      'create refs/heads/three',
      'push refs/heads/three',
    ]);
  });

  it('give a receiver five seconds, and tell nothing more to an owner who lost the repository meanwhile', async () => {
    const { admin } = installation;
    const own = await Receiver.open(() => undefined);
    const user = { ...OF_CAROL, email: 'carol@example.org', must_change_password: false };
    await call('/admin/users', user);
    await call('/admin/users/carol/repos', { name: 'given', auto_init: true });
    const carol = clientOf(() => installation.address, OF_CAROL);
    const hook = { type: 'forgejo', active: true, config: { url: own.target.url, content_type: 'json' } };
    const { id } = (await carol.post('/user/hooks', hook)).json as { id: number };
    await carol.post('/repos/carol/given/branches', { new_branch_name: 'one' });
    const delivery = async () =>
      ((await carol.get(`/user/hooks/${id}/deliveries`)).json as Record<string, unknown>[])[0] ?? {};
    await until(async () => Number((await delivery()).attempts) > 0);
    expect(await delivery()).include({ status: 'pending', error: 'no answer within 5 s' });

    const goOn = await installation.pause('dispatcher'); // which tries again after five seconds
    const { length: sent } = own.received;
    try {
      expect((await admin.post('/repos/carol/given/transfer', { new_owner: 'root' })).status).equals(202);
    } finally {
      goOn();
    }
    expect((await carol.post(`/user/hooks/${id}/redeliver`, {})).json).deep.equals({ queued: 1 });
    await until(async () => (await delivery()).status === 'skipped');
    expect(own.received).length(sent);
    await own.close();
  });

  it('tell of the deletion that takes the hook away', async () => {
    const before = told().length;
    const { status } = await installation.admin.delete('/repos/root/project');
    expect(status).equals(204);
    await until(() => told().length > before);
    expect(told().slice(before)).deep.equals(['repository deleted']);
  });
});
