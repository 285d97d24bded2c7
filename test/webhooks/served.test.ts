import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { Installation } from '../support/processes/installation.js';
import { Receiver, type Received } from './receiver.js';

const SECRET = 'a secret between us';

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
  const told = ({ headers, body }: Received) => {
    const { ref, action } = JSON.parse(body) as { ref?: string; action?: string };
    return `${String(headers['x-forgejo-event'])} ${ref ?? action ?? ''}`;
  };

  it('send what happens, in order and signed', async () => {
    await branch('one');
    await receiver.has(2);
    expect(receiver.received.map(told)).deep.equals(['create refs/heads/one', 'push refs/heads/one']);
    for (const { headers, body } of receiver.received) {
      const signature = createHmac('sha256', SECRET).update(body).digest('hex');
      expect(headers['x-hub-signature-256']).equals(`sha256=${signature}`);
    }
  });

  it('lose nothing that happens while no dispatcher runs', async () => {
    const before = receiver.received.length;
    await installation.kill('dispatcher');
    await branch('two');
    await branch('three');
    await receiver.has(before + 4);
    expect(receiver.received.slice(before).map(told)).deep.equals([
      'create refs/heads/two',
      'push refs/heads/two',
      'create refs/heads/three',
      'push refs/heads/three',
    ]);
  });

  it('tell of the deletion that takes the hook away', async () => {
    const before = receiver.received.length;
    const { status } = await installation.admin.delete('/repos/root/project');
    expect(status).equals(204);
    await receiver.has(before + 1);
    expect(receiver.received.slice(before).map(told)).deep.equals(['repository deleted']);
  });
});
