import { expect } from 'chai';
import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { FLUSH, packet } from '../../src/push/pkt-line.js';
import { PASSWORD } from '../support/api.js';
import { basic } from '../support/client.js';
import { processorTime } from '../support/processor-time.js';
import { gitWorld, sorted, type GitWorld, type TestRepository } from './world.js';

describe('git over HTTP: push', () => {
  let world: GitWorld;
  let repository: TestRepository;
  let name: string;
  let count = 0;

  before(async () => {
    world = await gitWorld();
  });
  after(() => world.stop());

  /** A repository and a working copy of it with one commit on `main`, pushed. */
  beforeEach(async () => {
    name = `push-${++count}`;
    repository = await world.create(name);
    await world.client.working(name);
    await world.client.git(['remote', 'add', 'origin', world.url(repository, 'owner')], { in: name });
    await world.client.git(['push', '--quiet', 'origin', 'main'], { in: name });
  });

  /** Disk and log agree in every test, whatever was tried. */
  afterEach(async () => {
    const { refs, settings } = await world.logged(repository);
    expect(sorted(await world.disk.refs(repository.id))).to.deep.equal(sorted(refs));
    expect(await world.disk.head(repository.id)).to.equal(settings.defaultBranch);
  });

  const run = (...args: string[]) => world.client.run(args, { in: name });
  const git = (...args: string[]) => world.client.git(args, { in: name });
  const refs = async () => sorted(await world.disk.refs(repository.id));
  /** The report on a push of commands that no git client would send; it brings no objects. */
  const pushed = (...commands: string[]) => pushedWith({}, ...commands);
  const pushedWith = async (
    { options = [], atomic = false }: { readonly options?: readonly string[]; readonly atomic?: boolean },
    ...commands: string[]
  ) => {
    const [first = '', ...others] = commands;
    const pack = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex'); // of nothing
    const asked = [...(options.length > 0 ? ['push-options'] : []), ...(atomic ? ['atomic'] : [])];
    const capabilities = ['report-status', 'side-band-64k', ...asked].join(' ');
    const orders = [`${first}\0${capabilities}`, ...others].map((line) => packet(line));
    if (options.length > 0) orders.push(FLUSH, ...options.map((option) => packet(option)));
    return (await sent(Buffer.concat([Buffer.from(`${orders.join('')}${FLUSH}`), pack]))).text();
  };
  const sent = (body: Buffer | string) =>
    fetch(`${world.url(repository)}/git-receive-pack`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-git-receive-pack-request',
        Authorization: basic('owner', PASSWORD),
      },
      body,
    });
  const updates = async () => {
    const events = await world.api.connections.log.readStream(`repository-${repository.id}`);
    return events.flatMap(({ type, data }) => (type === 'RefsUpdated' ? [data] : [])) as {
      readonly pusherId: number;
      readonly pushId: string;
      readonly defaultBranch?: string;
      readonly updates: readonly {
        readonly ref: string;
        readonly forced?: boolean;
        readonly commits?: readonly string[];
        readonly commitCount?: number;
        readonly committedAt: string | null;
      }[];
    }[];
  };

  for (const part of ['', 'objects'])
    it(`reaches a repository that is kept elsewhere, behind a link${part && ` for its ${part}`}`, async () => {
      const path = join(world.disk.pathOf(repository.id), part);
      const elsewhere = join(world.dataDir, `${name}.git`);
      await rename(path, elsewhere);
      await symlink(elsewhere, path);
      const commit = await world.client.commit(name, { more: '' });
      await git('push', '--quiet', 'origin', 'main');
      expect(await refs()).to.deep.equal({ 'refs/heads/main': commit });
    });

  it('tells the log who pushed, what, and which commits it brought', async () => {
    const before = await git('rev-parse', 'HEAD');
    const hashes: string[] = [];
    for (let number = 1; number <= 22; number++)
      hashes.unshift(await world.client.commit(name, {}, `c${number}`));
    await git('push', '--quiet', 'origin', 'main');
    const [first, second] = await updates();
    expect(first).to.include({ pusherId: world.owner.id, defaultBranch: 'main' });
    expect(first?.updates[0]).to.deep.include({ commits: [before], commitCount: 1 });
    expect(second).not.to.have.property('defaultBranch');
    expect(second?.updates).to.have.length(1);
    expect(second?.updates[0]).to.deep.include({
      ref: 'refs/heads/main',
      before,
      after: hashes[0],
      commits: hashes.slice(0, 20),
      commitCount: 22,
    });
    expect(second?.updates[0]).not.to.have.property('forced');
    const at = await git('log', '-1', '--format=%cI');
    expect(new Date(second?.updates[0]?.committedAt ?? '').getTime()).to.equal(new Date(at).getTime());
  });

  it('makes main the default branch, or master, or the first of a first push', async () => {
    const firstDefault = async (repo: string, ...branches: string[]) => {
      const empty = await world.create(repo);
      const specs = branches.map((branch) => `main:refs/heads/${branch}`);
      await git('push', '--quiet', world.url(empty, 'owner'), ...specs);
      return [(await world.logged(empty)).settings.defaultBranch, await world.disk.head(empty.id)];
    };
    expect(await firstDefault(`${name}-a`, 'alpha', 'master', 'main')).to.deep.equal(['main', 'main']);
    expect(await firstDefault(`${name}-b`, 'alpha', 'master')).to.deep.equal(['master', 'master']);
    expect(await firstDefault(`${name}-c`, 'beta', 'gamma')).to.deep.equal(['beta', 'beta']);
  });

  it('moves tags, annotated or not, and notes', async () => {
    await git('tag', 'light');
    const at = '2001-02-03T04:05:06Z';
    const made = { in: name, env: { GIT_COMMITTER_DATE: at } };
    await world.client.git(['tag', '-a', 'heavy', '-m', 'of weight'], made);
    await git('notes', 'add', '-m', 'a note');
    await git('push', '--quiet', 'origin', '--tags', 'refs/notes/commits');
    expect(Object.keys(await refs())).to.deep.equal([
      'refs/heads/main',
      'refs/notes/commits',
      'refs/tags/heavy',
      'refs/tags/light',
    ]);
    const [, { updates: moved } = { updates: [] }] = await updates();
    const timeOf = (tag: string) => moved.find(({ ref }) => ref === `refs/tags/${tag}`)?.committedAt ?? '';
    expect(new Date(timeOf('heavy'))).to.deep.equal(new Date(at));
    expect(new Date(timeOf('light'))).to.deep.equal(new Date(await git('log', '-1', '--format=%cI')));
  });

  it('refuses what is no fast-forward unless it is forced, and says so in the log', async () => {
    await git('commit', '--quiet', '--amend', '-m', 'another first');
    expect((await run('push', 'origin', 'main')).stderr).to.contain('rejected');
    await git('push', '--quiet', '--force', 'origin', 'main');
    expect(await refs()).to.deep.equal({ 'refs/heads/main': await git('rev-parse', 'HEAD') });
    expect((await updates()).at(-1)?.updates[0]).to.include({ forced: true });
  });

  it('deletes branches, and does not mind one that is not there', async () => {
    await git('push', '--quiet', 'origin', 'main:topic', 'main:other');
    await git('push', '--quiet', 'origin', ':topic');
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main', 'refs/heads/other']);
    await run('push', 'origin', ':refs/heads/nothing');
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main', 'refs/heads/other']);
  });

  it('keeps the default branch', async () => {
    const { code, stderr } = await run('push', 'origin', ':main', 'main:topic');
    expect(code).to.equal(1);
    expect(stderr).to.contain('remote: Tallyforge: main is the default branch and cannot be deleted');
    expect(stderr).to.contain('pre-receive hook declined');
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main']);
  });

  it('moves what it can of a push, and says of the rest why not', async () => {
    const { code, stderr } = await run(
      'push',
      'origin',
      'main:topic',
      'main:main/below',
      'main:refs/pull/1/head',
      'main:refs/tags',
    );
    expect(code).to.equal(1);
    expect(stderr).to.match(/remote rejected.*main -> main\/below \(main\/below cannot stand beside main\)/);
    expect(stderr).to.match(/remote rejected.*refs\/pull\/1\/head \(this ref is for the server alone\)/);
    expect(stderr).to.match(/remote rejected.*refs\/tags is no name for a branch or tag/);
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main', 'refs/heads/topic']);
  });

  it('puts one ref in the place of another, whichever name is a folder of the other', async () => {
    await run('push', 'origin', 'main:df', 'main:kept');
    const there = await run('push', 'origin', ':df', 'main:df/x', 'main:df/y');
    expect(there.code, there.stderr).to.equal(0);
    expect(Object.keys(await refs())).to.deep.equal([
      'refs/heads/df/x',
      'refs/heads/df/y',
      'refs/heads/kept',
      'refs/heads/main',
    ]);
    const back = await run('push', 'origin', 'main:df', ':df/x', ':df/y');
    expect(back.code, back.stderr).to.equal(0);
    const whole = await run('push', '--atomic', 'origin', ':df', 'main:df/x');
    expect(whole.code, whole.stderr).to.equal(0);
    expect(Object.keys(await refs())).to.deep.equal([
      'refs/heads/df/x',
      'refs/heads/kept',
      'refs/heads/main',
    ]);
  });

  it('says what moved even beside names that fill a packet', async () => {
    const head = await git('rev-parse', 'HEAD');
    const nothing = '0'.repeat(40);
    const long = `refs/heads/${'l'.repeat(65_400)}`;
    const report = await pushed(`${nothing} ${head} refs/heads/topic`, `${nothing} ${head} ${long}`);
    expect(report).to.contain('ok refs/heads/topic').and.to.contain('ng refs/heads/llll');
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main', 'refs/heads/topic']);
  });

  it('refuses a body that is not of the protocol', async () => {
    const certificate = `${packet('push-cert\0report-status')}${packet('certificate version 0.1\n')}${packet('push-cert-end\n')}`;
    const deletion = `${await git('rev-parse', 'HEAD')} ${'0'.repeat(40)} refs/heads/topic\n`;
    const unsigned = [
      'push-cert\0report-status',
      'certificate version 0.1\n',
      '\n',
      deletion,
      'push-cert-end\n',
    ];
    const uncertified = `${unsigned.map(packet).join('')}${FLUSH}`;
    for (const body of ['', 'garbage', '0003', 'ffff', certificate, `${certificate}${FLUSH}`, uncertified])
      expect((await sent(body)).status, body).to.equal(400);
  });

  it('moves all or nothing of an atomic push', async () => {
    const { code, stderr } = await run('push', '--atomic', 'origin', 'main:topic', 'main:main/below');
    expect(code).to.equal(1);
    expect(stderr).to.match(/main -> topic \(others of this atomic push cannot move\)/);
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main']);
    expect((await run('push', '--atomic', 'origin', 'main:topic', 'main:refs/pull/1/head')).code).to.equal(1);
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main']);
    await git('push', '--quiet', '--atomic', 'origin', 'main:one', 'main:two', 'main:three');
    expect(Object.keys(await refs())).to.have.length(4);
    expect((await updates()).at(-1)?.updates).to.have.length(3);
  });

  it('moves nothing of an atomic push of which git refuses a part by itself', async () => {
    await world.client.commit(name, {}, 'second');
    await git('push', '--quiet', 'origin', 'main');
    const shallow = `${name}-shallow`;
    await world.client.git(['clone', '--quiet', '--depth=1', world.url(repository, 'owner'), shallow]);
    const inShallow = (...args: string[]) => world.client.run(args, { in: shallow });
    await inShallow('checkout', '--quiet', '--orphan', 'whole');
    await world.client.commit(shallow, {}, 'whole');
    const other = await world.create(`${name}-other`);
    const push = ['push', world.url(other, 'owner'), 'main', 'whole', '--atomic'];
    const { code, stderr } = await inShallow(...push);
    expect(code).to.equal(1);
    expect(stderr).to.match(/main -> main \(shallow update not allowed\)/);
    expect(stderr).to.match(/whole -> whole \(others of this atomic push cannot move\)/);
    expect(sorted(await world.disk.refs(other.id))).to.deep.equal({});
    expect((await inShallow(...push.slice(0, -1))).stderr).to.contain('[new branch]      whole -> whole');
    expect(
      (await inShallow('push', '--atomic', world.url(repository, 'owner'), 'main:more', 'whole')).code,
    ).to.equal(0);
  });

  it('moves nothing of an atomic push that names what is no ref', async () => {
    const head = await git('rev-parse', 'HEAD');
    const nothing = '0'.repeat(40);
    const commands = [`${head} ${head} HEAD`, `${nothing} ${head} refs/heads/topic`];
    const report = await pushedWith({ atomic: true }, ...commands);
    expect(report).to.contain('ng HEAD').and.to.contain('ng refs/heads/topic others of this atomic');
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main']);
  });

  it('refuses to move one ref twice, before anything of the push is kept', async () => {
    const head = await git('rev-parse', 'HEAD');
    const nothing = '0'.repeat(40);
    const moves = ['topic', 'other', 'topic'].map((branch) => `${nothing} ${head} refs/heads/${branch}`);
    const report = await pushed(...moves);
    expect(report).to.contain('Tallyforge: topic is named twice: push it once');
    expect(report).to.contain('ng refs/heads/other pre-receive hook declined');
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main']);
  });

  it('refuses names that are not UTF-8 by their bytes, and moves the rest', async () => {
    const head = await git('rev-parse', 'HEAD');
    const lines = ['caf\xe9', 'caf\xe8'].map((latin) => `create refs/heads/${latin} ${head}\n`);
    await world.client.git(['update-ref', '--stdin'], {
      in: name,
      input: Buffer.from(lines.join(''), 'latin1'),
    });
    await git('branch', 'topic');
    const { code, stderr } = await run('push', 'origin', 'refs/heads/*');
    expect(code).to.equal(1);
    expect(stderr.match(/remote rejected.* is no name for a branch or tag/g)).to.have.length(2);
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main', 'refs/heads/topic']);
  });

  it('lets the first of two pushes to one ref win, and tells the second', async () => {
    await world.client.git(['clone', '--quiet', world.url(repository, 'owner'), `${name}-other`]);
    await world.client.commit(name, {}, 'ours');
    await world.client.commit(`${name}-other`, {}, 'theirs');
    const outcomes = await Promise.all([
      run('push', 'origin', 'main'),
      world.client.run(['push', 'origin', 'main'], { in: `${name}-other` }),
    ]);
    expect(outcomes.map(({ code }) => code).sort()).to.deep.equal([0, 1]);
    const loser = outcomes.find(({ code }) => code === 1);
    expect(loser?.stderr).to.match(/fetch first|has moved meanwhile/);
  });

  it('refuses a ref that was never where the client has it, and moves the others', async () => {
    const head = await git('rev-parse', 'HEAD');
    const next = await world.client.commit(name, {}, 'next');
    await git('push', '--quiet', 'origin', 'HEAD:refs/heads/next');
    const report = await pushed(
      `${'2'.repeat(40)} ${next} refs/heads/main`,
      `${'0'.repeat(40)} ${head} refs/heads/topic`,
    );
    expect(report).to.include('ng refs/heads/main main has moved meanwhile: fetch first');
    expect(report).to.include('ok refs/heads/topic');
    const there = { 'refs/heads/main': head, 'refs/heads/next': next, 'refs/heads/topic': head };
    expect(await refs()).to.deep.equal(there);
  });

  it('takes a hundred branches at once, and drops ten of them again', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `branch-${index}`);
    await git('push', '--quiet', 'origin', ...names.map((branch) => `main:refs/heads/${branch}`));
    expect(Object.keys(await refs())).to.have.length(101);
    await git('push', '--quiet', 'origin', ...names.slice(0, 10).map((branch) => `:refs/heads/${branch}`));
    expect(Object.keys(await refs())).to.have.length(91);
    const events = await updates();
    expect(events).to.have.length(3);
    expect(events[1]?.updates).to.have.length(100);
    expect(events[1]?.updates[0]).to.deep.include({ commits: [], commitCount: 0 });
  });

  it('takes more refs than one event holds, as one push', async () => {
    const hash = await git('rev-parse', 'HEAD');
    const lines = Array.from({ length: 2_100 }, (_, index) => `create refs/tags/t${index} ${hash}\n`);
    await world.client.update(name, lines.join(''));
    await git('pack-refs', '--all');
    await git('push', '--quiet', 'origin', '--tags');
    expect(Object.keys(await refs())).to.have.length(2_101);
    const [, ...rounds] = await updates();
    expect(rounds.map(({ updates }) => updates.length)).to.deep.equal([2_000, 100]);
    expect(new Set(rounds.map(({ pushId }) => pushId)).size).to.equal(1);
  });

  it('makes the other side a mirror', async () => {
    await git('push', '--quiet', 'origin', 'main:old');
    await git('branch', 'topic');
    await git('tag', 'v1');
    await world.client.git(['clone', '--quiet', '--bare', name, `${name}.git`]);
    await world.client.git(['push', '--quiet', '--mirror', world.url(repository, 'owner')], {
      in: `${name}.git`,
    });
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main', 'refs/heads/topic', 'refs/tags/v1']);
  });

  it('takes a push from a shallow clone', async () => {
    await world.client.commit(name, {}, 'second');
    await git('push', '--quiet', 'origin', 'main');
    const shallow = `${name}-shallow`;
    await world.client.git(['clone', '--quiet', '--depth=1', world.url(repository, 'owner'), shallow]);
    const hash = await world.client.commit(shallow, { 'more.txt': 'more\n' });
    await world.client.git(['push', '--quiet', 'origin', 'main'], { in: shallow });
    expect(await refs()).to.deep.equal({ 'refs/heads/main': hash });
  });

  it('takes a push that is sent in chunks after a probe', async () => {
    const content = Buffer.alloc(3_000_000);
    for (let at = 0; at < content.length; at += 4) content.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
    const hash = await world.client.commit(name, { 'large.bin': content });
    await git('-c', 'http.postBuffer=65536', 'push', '--quiet', 'origin', 'main');
    expect(await refs()).to.deep.equal({ 'refs/heads/main': hash });
    expect(await world.disk.sizeOf(repository.id)).to.satisfy((bytes: bigint) => bytes > 2_000_000n);
  });

  it('answers the probe itself, and nothing else as short', async () => {
    const answer = await sent(FLUSH);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).to.deep.equal([
      200,
      'application/x-git-receive-pack-result',
      '',
    ]);
    for (const body of ['0001', '0004', 'none']) expect((await sent(body)).status, body).to.equal(400);
  });

  describe('with options', () => {
    const facts = async (owner = 'owner') => {
      const { json } = await world.api.admin.get(`/repos/${owner}/${name}`);
      const { private: isPrivate, template } = json as { private: boolean; template: boolean };
      return { isPrivate, template };
    };
    const refused = async (option: string, reason: string, from = 'origin') => {
      const { code, stderr } = await run('push', '-o', option, from, 'main:other');
      expect(code, option).to.equal(1);
      expect(stderr).to.contain(reason);
    };

    it('that say nothing to it, passes', async () => {
      await git('push', '--quiet', '-o', 'ci.skip', '-o', 'constructor', 'origin', 'main:topic');
      await git('push', '--quiet', '-o', 'quote \' " $HOME `id`', 'origin', 'main:other');
      expect(Object.keys(await refs())).to.include.members(['refs/heads/topic', 'refs/heads/other']);
    });

    it('changes what the repository is, for its administrators', async () => {
      expect((await run('push', '-o', 'repo.template', 'origin', 'main:refs/pull/1/head')).code).to.equal(1);
      expect(await facts()).to.deep.equal({ isPrivate: false, template: false });
      await git('push', '--quiet', '-o', 'repo.private=true', '-o', 'repo.template', 'origin', 'main:one');
      expect(await facts()).to.deep.equal({ isPrivate: true, template: true });
      await git('push', '--quiet', '-o', 'repo.private=false', 'origin', 'main:two');
      expect(await facts()).to.deep.equal({ isPrivate: false, template: true });
    });

    it('that are wrong, or not for the one who pushes, is refused whole', async () => {
      await refused('repo.private=perhaps', 'repo.private is true or false');
      const path = `/repos/owner/${name}/collaborators/reader`;
      expect((await world.owner.put(path, { permission: 'write' })).status).to.equal(204);
      await refused('repo.template=true', 'only administrators', world.url(repository, 'reader'));
      expect(await facts()).to.deep.equal({ isPrivate: false, template: false });
      expect(Object.keys(await refs())).not.to.include('refs/heads/other');
    });

    it('makes nothing private by a token that reaches only what is public', async () => {
      const { token } = await world.api.createToken('owner', 'public-only', 'write:repository');
      const url = world.url(repository, `owner:${token}`);
      await refused('repo.private=true', 'the token reaches only what is public', url);
      expect(Object.keys(await refs())).not.to.include('refs/heads/other');
      await git('push', '--quiet', '-o', 'repo.private=false', '-o', 'repo.template', url, 'main:other');
      expect(await facts()).to.deep.equal({ isPrivate: false, template: true });
    });

    it('does not go with a fork, which is as its base is', async () => {
      const { status, json } = await world.reader.post(`/repos/owner/${name}/forks`, {});
      expect(status).to.equal(202);
      const fork = { id: (json as { id: number }).id, owner: 'reader', name };
      await refused('repo.private=true', 'do not go with a fork', world.url(fork, 'reader'));
      expect(await facts('reader')).to.deep.equal({ isPrivate: false, template: false });
    });
  });

  it('takes nothing but commits for branches', async () => {
    const blob = await git('rev-parse', 'HEAD:README.md');
    await git('tag', '-a', '-m', 'annotated', 'v1');
    const taken = [`${blob}:refs/tags/blob`, 'v1'];
    const { code, stderr } = await run(
      ...['push', 'origin', `${blob}:refs/heads/blob`, 'v1:refs/heads/tag', ...taken],
    );
    expect(code).to.equal(1);
    expect(stderr).to.contain('(blob would be no commit)').and.to.contain('(tag would be no commit)');
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main', 'refs/tags/blob', 'refs/tags/v1']);
  });

  it('does not take objects that are broken', async () => {
    const tree = await world.client.object(
      name,
      'tree',
      Buffer.from(`100644 .git\0${'\0'.repeat(20)}`, 'latin1'),
    );
    const at = 'a <a@b> 0 +0000';
    const commit = await world.client.object(
      name,
      'commit',
      Buffer.from(`tree ${tree}\nauthor ${at}\ncommitter ${at}\n\nbad\n`),
    );
    const { code } = await run('push', 'origin', `${commit}:refs/heads/bad`);
    expect(code).to.equal(1);
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main']);
  });

  it('takes objects with the flaws of old tools, which harm nobody', async () => {
    const tree = await git('rev-parse', 'HEAD^{tree}');
    const offsets = ['+51800', '+0090', '-1260', '+1700', '-2359'];
    const flawed = [
      ...offsets.map((offset) => `A <a@example.org> 1338000000 ${offset}`),
      'A<a@example.org> 1338000000 +0000',
    ];
    for (const [index, at] of flawed.entries()) {
      const text = `tree ${tree}\nauthor ${at}\ncommitter ${at}\n\nold\n`;
      const commit = await world.client.object(name, 'commit', Buffer.from(text));
      await git('push', '--quiet', 'origin', `${commit}:refs/heads/old-${index}`);
      const { status, json } = await world.owner.get(`/repos/owner/${name}/git/commits/${commit}`);
      expect(status).to.equal(200);
      expect(json).to.have.nested.property('commit.author.date', '2012-05-26T02:40:00Z');
      const branch = await world.owner.get(`/repos/owner/${name}/branches/old-${index}`);
      expect(branch.json).to.have.nested.property('commit.timestamp', '2012-05-26T02:40:00Z');
    }
  });

  it('says of a commit that it is too large', async () => {
    const tree = await git('rev-parse', 'HEAD^{tree}');
    const at = 'a <a@b> 0 +0000';
    const text = `tree ${tree}\nauthor ${at}\ncommitter ${at}\n\n${'x'.repeat(5_000_000)}\n`;
    const commit = await world.client.object(name, 'commit', Buffer.from(text));
    const { code, stderr } = await run('push', 'origin', `${commit}:refs/heads/large`);
    expect(code).to.equal(1);
    expect(stderr).to.contain('(a commit is too large)');
    expect(Object.keys(await refs())).to.deep.equal(['refs/heads/main']);
  });

  describe('to a protected branch', () => {
    const protect = async (changes: object) => {
      const path = `/repos/owner/${name}/branch_protections`;
      const { status, text } = await world.owner.post(path, { rule_name: 'main', ...changes });
      expect(status, text).to.equal(201);
    };

    it('is refused for those who may not push', async () => {
      await protect({ enable_push: false });
      await world.client.commit(name, {}, 'more');
      const { code, stderr } = await run('push', 'origin', 'main');
      expect(code).to.equal(1);
      expect(stderr).to.contain('remote: Tallyforge: main: the branch is protected from pushes');
    });

    it('is refused when forced, and when files are protected', async () => {
      await protect({ enable_push: true, protected_file_patterns: '*.lock' });
      await world.client.commit(name, { 'a.txt': 'a' });
      await git('push', '--quiet', 'origin', 'main');
      await world.client.commit(name, { 'a.lock': 'a' });
      expect((await run('push', 'origin', 'main')).stderr).to.contain('protected from changes to a.lock');
      await git('reset', '--quiet', '--hard', 'HEAD~2');
      await world.client.commit(name, {}, 'other');
      expect((await run('push', '--force', 'origin', 'main')).stderr).to.contain(
        'protected from forced pushes',
      );
    });

    it('is refused where the path of a file is too long to ask its rules', async () => {
      await protect({ enable_push: true, protected_file_patterns: '*.lock' });
      const blob = await world.client.object(name, 'blob', Buffer.from('a'));
      const holding = (mode: string, hash: string) =>
        world.client.object(
          name,
          'tree',
          Buffer.concat([Buffer.from(`${mode} ${'a'.repeat(2_048)}\0`), Buffer.from(hash, 'hex')]),
        );
      const tree = await holding('40000', await holding('100644', blob)); // names of 4,097 bytes are refused by newer gits
      const commit = await git('commit-tree', tree, '-p', 'HEAD', '-m', 'long');
      const { stderr } = await run('push', 'origin', `${commit}:main`);
      expect(stderr).to.contain('Tallyforge: main: the path of a file is too long for its rules');
    });

    it('is refused in words where it changes more paths than can be judged', async () => {
      await protect({ enable_push: true, protected_file_patterns: '*.lock' });
      const blob = await world.client.object(name, 'blob', Buffer.from('a'));
      const entries = (mode: string, hash: string, count: number) =>
        Buffer.concat(
          Array.from({ length: count }, (_, index) => [
            Buffer.from(`${mode} ${String(index).padStart(200, '0')}\0`),
            Buffer.from(hash, 'hex'),
          ]).flat(),
        );
      const below = await world.client.object(name, 'tree', entries('100644', blob, 500));
      const tree = await world.client.object(name, 'tree', entries('40000', below, 500));
      const commit = await git('commit-tree', tree, '-p', 'HEAD', '-m', 'much');
      const { stderr } = await run('push', 'origin', `${commit}:main`);
      expect(stderr).to.contain('Tallyforge: so much at once cannot be judged by the rules of branches');
    });

    it('holds nobody up with names that no ref can have, whatever the rules', async () => {
      const rule = { rule_name: `${'*a'.repeat(127)}b`, enable_push: true };
      expect((await world.owner.post(`/repos/owner/${name}/branch_protections`, rule)).status).to.equal(201);
      const head = await git('rev-parse', 'HEAD');
      const long = Array.from({ length: 40 }, (_, index) => `refs/heads/${index}${'a'.repeat(60_000)}`);
      const good = 'refs/heads/good';
      const orders = [...long, good].map((ref) => `${'0'.repeat(40)} ${head} ${ref}`);
      expect(await processorTime(() => pushed(...orders))).to.be.below(30_000);
      expect(await refs()).to.deep.equal({ 'refs/heads/main': head, [good]: head });
    });

    it('is refused, and told which, when it has moved or would be no commit', async () => {
      await protect({ enable_push: true });
      const head = await git('rev-parse', 'HEAD');
      const blob = await world.client.object(name, 'blob', Buffer.from('a'));
      expect((await run('push', 'origin', `+${blob}:refs/heads/main`)).stderr).to.contain(
        'Tallyforge: main: the branch would be no commit',
      );
      const next = await world.client.commit(name, {}, 'next');
      await git('push', '--quiet', 'origin', 'main:next');
      for (const believed of ['1'.repeat(40), next]) {
        const answer = await pushed(`${believed} ${next} refs/heads/main`);
        expect(answer).to.contain('Tallyforge: main: the branch has moved meanwhile: fetch first');
        expect(answer).to.contain('ng refs/heads/main');
      }
      expect((await refs())['refs/heads/main']).to.equal(head);
    });

    it('is judged whatever line ends options and names hold', async () => {
      const first = await git('rev-parse', 'HEAD');
      const second = await world.client.commit(name, {}, 'second');
      await git('push', '--quiet', 'origin', 'main');
      await protect({ enable_push: false });
      const nothing = '0'.repeat(40);
      const moving = packet(`${second} ${first} refs/heads/main`);
      const spoken = `x\n\n${packet('version=1\n')}${FLUSH}${moving}${FLUSH}`;
      expect(await pushedWith({ options: [spoken] }, `${nothing} ${second} refs/heads/one`)).to.contain(
        'ok refs/heads/one',
      );
      for (const ref of [
        `HEAD${spoken.slice(1)}`,
        `refs/heads/${spoken}`,
        'HEAD\n',
        'refs/heads/a\rb',
        'refs/heads/a\u2028b',
      ])
        expect(await pushed(`${nothing} ${second} ${ref}`, `${second} ${first} refs/heads/main`)).to.match(
          /Tallyforge: (the name of a ref holds the end of a line|main: the branch is protected)/,
        );
      expect(await refs()).to.deep.equal({ 'refs/heads/main': second, 'refs/heads/one': second });
    });

    it('is refused without signatures where they are wanted', async () => {
      await protect({ enable_push: true, require_signed_commits: true });
      await world.client.commit(name, {}, 'more');
      expect((await run('push', 'origin', 'main')).stderr).to.contain('takes signed commits only');
      await git('push', '--quiet', 'origin', 'main:another');
      expect((await run('push', 'origin', 'main')).stderr).to.contain('takes signed commits only');
    });
  });
});
