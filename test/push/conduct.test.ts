import { expect } from 'chai';
import { Duplex } from 'node:stream';
import { GitRepositoryMissing } from '../../src/git/port/errors.js';
import { conductPush } from '../../src/push/conduct.js';
import { Wire } from '../../src/push/wire.js';

describe('a push', () => {
  it('that names more refs than anybody moves is refused once it has said all, and not held in memory', async () => {
    const hash = 'a'.repeat(40);
    const names = Array.from({ length: 1_000 }, (_, index) => `change ${hash} ${hash} refs/heads/${index}\n`);
    const piece = Buffer.from(names.join(''));
    let pieces = Math.ceil((32 * 1024 * 1024) / (piece.length - names.length)) + 1;
    let answer = '';
    const stream = new Duplex({
      read() {
        this.push(pieces > 0 ? piece : pieces === 0 ? '\n' : null);
        pieces -= 1;
      },
      write(chunk: Buffer, _encoding, done) {
        answer += chunk.toString();
        done();
      },
    });
    stream.unshift('/quarantine\n');
    const never = (): never => expect.fail('nothing is to be judged');
    await conductPush({} as never, new Wire(stream), {
      repositoryId: 1,
      pusherId: 1,
      named: { count: 0 },
      admission: never,
      context: { commandId: 'push', at: '2026-01-01T00:00:00Z' },
      ended: Promise.resolve(),
    });
    expect(answer).to.equal('Tallyforge: too many refs for one push\n');
  });

  it('to a repository that is gone meanwhile is refused in these words', async () => {
    const load = () => Promise.reject(new GitRepositoryMissing(1));
    expect(await answerOf({ commands: { load } })).to.equal(
      'Tallyforge: the repository is not there any more\n',
    );
  });

  it('whose objects go with their repository while they are looked at is refused in the same words', async () => {
    const load = () => Promise.reject(new Error('ENOENT: no such file or directory'));
    const services = { commands: { load }, git: { exists: () => Promise.resolve(false) } };
    expect(await answerOf(services)).to.equal('Tallyforge: the repository is not there any more\n');
  });

  it('whose program has ended is judged no further, and that is no failure of ours', async () => {
    let released = 0;
    const state = { branchProtections: [], refs: new Map(), settings: { defaultBranch: 'main' } };
    const services = {
      commands: { load: () => Promise.resolve({ state }) },
      git: { exists: () => Promise.resolve(true), growth: () => Promise.resolve(0n) },
      storage: { reserve: () => Promise.resolve({}), release: () => Promise.resolve((released += 1)) },
    };
    expect(await answerOf(services)).to.contain('the push failed'); // if anybody still heard it
    expect(released).to.equal(1);
  });
});

/** What git is told of a push of one branch by these services. */
async function answerOf(services: object): Promise<string> {
  let answer = '';
  const stream = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      answer += chunk.toString();
      done();
    },
  });
  stream.push(`\nchange ${'0'.repeat(40)} ${'a'.repeat(40)} refs/heads/main\n\n`);
  const met = { repository: {}, rank: 0 } as never;
  await conductPush(services as never, new Wire(stream), {
    repositoryId: 1,
    pusherId: 1,
    named: { count: 1 },
    admission: () => Promise.resolve({ met, pusher: {} as never }),
    context: { commandId: 'push', at: '2026-01-01T00:00:00Z' },
    ended: Promise.resolve(),
  });
  return answer;
}
