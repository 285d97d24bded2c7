import { expect } from 'chai';
import { clientOf } from '../support/client.js';
import { until } from '../support/process.js';
import { Installation } from '../support/processes/installation.js';

const PROGRAM = 'src/password/main.js';

const given = 'correct horse staple';

describe('npm run password', () => {
  let installation: Installation;

  before(async () => {
    installation = await Installation.create();
    await installation.start();
  });
  after(() => installation.remove());

  const signIn = async (password: string) => {
    const client = clientOf(() => installation.address, { username: 'root', password });
    return (await client.get('/user/settings')).status;
  };

  it('lets the only administrator in again, beside a server that remembers the password of before', async () => {
    const before = await installation.admin.get('/user');
    expect(before.status).to.equal(200);
    const { code, stdout, stderr } = await installation.run(PROGRAM, '--user', 'ROOT');
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    const password =
      /^ROOT has the password (\S{16}) \(shown only this once\)\n$/.exec(stdout)?.[1] ?? stdout;
    expect(await signIn(password)).to.equal(200);
    // The server hears of it from the database, soon.
    await until(async () => (await installation.admin.get('/user')).status === 401);
  });

  it('takes the first line of what it is given, and tells nobody', async () => {
    const finished = await installation.runWith(`${given}\nmore`, PROGRAM, '--user', 'root', '--stdin');
    expect(finished).to.deep.equal({ code: 0, stdout: 'root has the new password\n', stderr: '' });
    expect(await signIn(given)).to.equal(200);
    const { json } = await clientOf(() => installation.address, { username: 'root', password: given }).get(
      '/admin/history?subject=root&limit=1',
    );
    expect(JSON.stringify(json)).to.not.include(given);
  });

  it('does nothing for nobody, or with a password that is none', async () => {
    for (const [input, args, message] of [
      ['', ['--user', 'nobody'], 'there is no user nobody'],
      ['', ['--user', 'root', '--stdin'], 'Required'],
      ['short', ['--user', 'root', '--stdin'], 'at least 8 bytes'],
      ['', [], '--user <name>'],
    ] as const) {
      const { code, stdout, stderr } = await installation.runWith(input, PROGRAM, ...args);
      expect({ code, stdout }, stderr).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr).to.include(message);
    }
    expect(await signIn(given)).to.equal(200);
  });
});
