import { expect } from 'chai';
import { createHash, sign as cryptoSign } from 'node:crypto';
import { parsePublicKey } from '../../../../src/commands/accounts/parse-public-key.js';
import { gitWorld, type GitWorld } from '../../../git-http/world.js';
import { PAYLOAD, TAG, vectors } from '../../../signatures/vectors.js';
import { newSigningKey, wirePart, type SigningKey } from '../../../support/public-keys.js';

interface Verification {
  readonly verified: boolean;
  readonly reason: string;
  readonly signature: string;
  readonly payload: string;
  readonly signer: unknown;
}

describe('signatures of commits and tags', () => {
  let world: GitWorld;
  let head: string;
  let tag: string;
  let oldTag: string;
  let ourFingerprint: string;
  const [mine, others] = vectors;
  if (!mine || !others) throw new Error('no vectors');

  /** A commit with a signature in its head, as git stores it. */
  const signed = (signature: string, text = PAYLOAD, encoding: 'utf8' | 'latin1' = 'utf8') => {
    const [headers = '', ...body] = text.split('\n\n');
    const indented = signature.trimEnd().replaceAll('\n', '\n ');
    return Buffer.from([`${headers}\ngpgsig ${indented}`, ...body].join('\n\n'), encoding);
  };
  /** As `ssh-keygen -Y sign -n git` signs. */
  const sign = (content: Buffer, { key, privateKey }: SigningKey) => {
    const blob = Buffer.from(key.split(' ')[1] ?? '', 'base64');
    const digest = createHash('sha512').update(content).digest();
    const words = Buffer.concat([Buffer.from('SSHSIG'), ...['git', '', 'sha512', digest].map(wirePart)]);
    const value = Buffer.concat(['ssh-ed25519', cryptoSign(null, words, privateKey)].map(wirePart));
    const head = Buffer.concat([Buffer.from('SSHSIG'), Buffer.from([0, 0, 0, 1])]);
    const all = Buffer.concat([head, ...[blob, 'git', '', 'sha512', value].map(wirePart)]);
    return `-----BEGIN SSH SIGNATURE-----\n${all.toString('base64')}\n-----END SSH SIGNATURE-----\n`;
  };

  before(async () => {
    world = await gitWorld();
    await world.create('signed');
    await world.client.working('signed');
    const { client, owner, reader } = world;
    const object = (type: string, content: Buffer) => client.object('signed', type, content);
    await object('tree', Buffer.alloc(0));
    head = await object('commit', signed(mine.signature));
    tag = await object('tag', Buffer.from(TAG.payload + TAG.signature));
    const forged = await object('commit', signed(mine.signature, `${PAYLOAD}more\n`));
    const foreign = await object('commit', signed(others.signature));
    const ours = newSigningKey();
    const old = PAYLOAD.replace('\n\n', '\nencoding ISO-8859-1\n\n');
    const latin = sign(Buffer.from(old, 'latin1'), ours);
    const encoded = await object('commit', signed(latin, old, 'latin1'));
    const tagged = Buffer.from(TAG.payload.replace(/\n$/, ' \xfc\n'), 'latin1');
    oldTag = await object('tag', Buffer.concat([tagged, Buffer.from(sign(tagged, ours))]));
    ourFingerprint = parsePublicKey(ours.key).fingerprint;
    expect((await owner.post('/user/keys', { title: 'old', key: ours.key })).status).to.equal(201);
    const url = world.url({ owner: 'owner', name: 'signed' }, 'owner');
    const refspecs = [
      `${head}:refs/heads/main`,
      `${forged}:refs/heads/forged`,
      `${foreign}:refs/heads/foreign`,
      `${encoded}:refs/heads/encoded`,
      `${oldTag}:refs/tags/old`,
    ];
    await client.git(['push', '--quiet', url, ...refspecs, `${tag}:refs/tags/v1`], { in: 'signed' });
    for (const [user, { key }] of [
      [owner, mine],
      [reader, others],
    ] as const)
      expect((await user.post('/user/keys', { title: 'signing', key })).status).to.equal(201);
  });
  after(() => world.stop());

  const ask = async (path: string) => (await world.reader.get(`/repos/owner/signed/${path}`)).json;
  const ofBranch = async (name: string) =>
    ((await ask(`branches/${name}`)) as { commit: { verification: Verification } }).commit.verification;
  const right = () => ({
    verified: true,
    reason: `owner / ${parsePublicKey(mine.key).fingerprint}`,
    signer: { name: 'owner', email: 'owner@example.org', username: 'owner' },
  });

  it('are verified by the keys of the account whose address the committer has', async () => {
    const verification = await ofBranch('main');
    expect(verification).to.deep.include({ ...right(), payload: PAYLOAD });
    expect(verification.signature.trim()).to.equal(mine.signature.trim());
    const single = (await ask(`git/commits/${head}`)) as { commit: { verification: Verification } };
    expect(single.commit.verification).to.deep.equal(verification);
    expect(((await ask('commits')) as unknown[])[0]).to.have.nested.property(
      'commit.verification.verified',
      true,
    );
  });

  it('of a tag are verified likewise', async () => {
    const { verification } = (await ask(`git/tags/${tag}`)) as { verification: Verification };
    expect(verification).to.deep.include({ ...right(), payload: TAG.payload });
  });

  it('are verified by the bytes that were signed, in whatever encoding', async () => {
    const known = { verified: true, reason: `owner / ${ourFingerprint}` };
    const ofCommit = await ofBranch('encoded');
    expect(ofCommit).to.deep.include(known);
    expect(ofCommit.payload).to.contain('Signed, with \ufffdmlauts\n');
    expect(await ofBranch('encoded'), 'as it is kept').to.deep.equal(ofCommit);
    const { verification } = (await ask(`git/tags/${oldTag}`)) as { verification: Verification };
    expect(verification).to.deep.include(known);
    expect(verification.payload).to.match(/ \ufffd\n$/);
  });

  it('are verified for hooks that are tested', async () => {
    const hooks = '/repos/owner/signed/hooks';
    const config = { url: 'https://hooks.example/', content_type: 'json' };
    const made = await world.owner.post(hooks, { type: 'gitea', config, events: ['push'], active: true });
    const hook = `${hooks}/${(made.json as { id: number }).id}`;
    expect((await world.owner.post(`${hook}/tests`)).status).to.equal(204);
    const [delivery] = (await world.owner.get(`${hook}/deliveries`)).json as { id: string }[];
    const { json } = await world.owner.get(`${hook}/deliveries/${delivery?.id ?? ''}`);
    const { head_commit: commit } = JSON.parse((json as { payload: string }).payload) as {
      head_commit: { verification: Verification };
    };
    expect(commit.verification).to.deep.equal(await ofBranch('main'));
  });

  it('of other words are bad, and those of other people unknown', async () => {
    const none = { verified: false, signer: null };
    expect(await ofBranch('forged')).to.deep.include({ ...none, reason: 'gpg.error.probable_bad_signature' });
    expect(await ofBranch('foreign')).to.deep.include({ ...none, reason: 'gpg.error.no_gpg_keys_found' });
  });

  it('are not verified any more once the key is gone', async () => {
    const keys = (await world.owner.get('/user/keys')).json as { id: number; title: string }[];
    const key = keys.find(({ title }) => title === 'signing');
    expect((await world.owner.delete(`/user/keys/${key?.id ?? 0}`)).status).to.equal(204);
    expect(await ofBranch('main')).to.include({ verified: false, reason: 'gpg.error.no_gpg_keys_found' });
  });
});
