import { expect } from 'chai';
import type { MirroringCommand } from '../../src/domain/repositories/mirroring.js';
import { Repository, type RepositoryState } from '../../src/domain/repositories/repository.js';
import { MirrorSchedule, type MirrorScheduleOptions } from '../../src/mirrors/schedule.js';
import { scheduleMirrors, type MirrorServices } from '../../src/mirrors/schedule-mirrors.js';
import { createLogger } from '../../src/logger.js';
import type { DueMirror } from '../../src/queries/repositories/mirrors.js';

const logger = createLogger({ name: 'test', level: 'silent' });
const mirrors = (count: number): DueMirror[] =>
  Array.from({ length: count }, (_, index) => ({
    repositoryId: index + 1,
    url: `https://example.org/${index}`,
  }));

describe('the schedule of mirrors', () => {
  const schedule = (options: Partial<MirrorScheduleOptions>) =>
    new MirrorSchedule({
      due: () => Promise.resolve([]),
      pull: () => Promise.resolve(),
      alone: (work) => work(),
      logger,
      ...options,
    });

  it('pulls each that is due once, two at a time', async () => {
    const pulled: number[] = [];
    let [running, most] = [0, 0];
    const pull = async ({ repositoryId }: DueMirror) => {
      most = Math.max(most, (running += 1));
      await new Promise(setImmediate);
      running -= 1;
      pulled.push(repositoryId);
    };
    await schedule({ due: () => Promise.resolve(mirrors(7)), pull }).round();
    expect(pulled).deep.equals([1, 2, 3, 4, 5, 6, 7]);
    expect(most).equals(2);
  });

  it('goes on after one that fails', async () => {
    const pulled: number[] = [];
    const pull = ({ repositoryId }: DueMirror) => {
      pulled.push(repositoryId);
      return repositoryId === 2 ? Promise.reject(new Error('no')) : Promise.resolve();
    };
    await schedule({ due: () => Promise.resolve(mirrors(4)), pull }).round();
    expect(pulled).deep.equals([1, 2, 3, 4]);
  });

  it('asks for nothing while another process is at it', async () => {
    let asked = false;
    const due = () => {
      asked = true;
      return Promise.resolve([]);
    };
    await schedule({ due, alone: () => Promise.resolve() }).round();
    expect(asked).equals(false);
  });

  it('looks again and again until it is stopped, whatever fails', async () => {
    let looks = 0;
    let seen: () => void = () => undefined;
    const thrice = new Promise<void>((resolve) => (seen = resolve));
    const due = () => {
      looks += 1;
      if (looks === 3) seen();
      return Promise.reject(new Error('no database'));
    };
    const running = schedule({ due, everyMs: 1 });
    running.start();
    const awake = setInterval(() => undefined, 1000); // the schedule itself keeps no process alive
    await thrice;
    clearInterval(awake);
    await running.stop();
    const atStop = looks;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(looks).equals(atStop);
  });

  it('begins no more pulls once it is stopped', async () => {
    const pulled: number[] = [];
    const stopping: MirrorSchedule = schedule({
      due: () => Promise.resolve(mirrors(5)),
      pull: ({ repositoryId }) => {
        pulled.push(repositoryId);
        return stopping.stop();
      },
    });
    await stopping.round();
    expect(pulled).deep.equals([1]);
  });

  it('pulls none again before its interval has passed, whatever read models show', async () => {
    let state: RepositoryState = {
      ...Repository.initialState,
      status: 'exists',
      mirror: { intervalSeconds: 600, prune: true },
    };
    let pulls = 0;
    const services = {
      db: { rows: () => Promise.resolve(mirrors(1)) },
      vault: { tryWithKeyLock: (_: string, work: () => Promise<void>) => work() },
      commands: {
        load: () => Promise.resolve({ state }),
        handle(_: unknown, __: number, command: MirroringCommand) {
          state = Repository.decide(command, state).reduce(
            (before, event) => Repository.evolve(before, event),
            state,
          );
          return Promise.resolve({ position: 1n });
        },
      },
      storage: {
        checkRoom() {
          pulls += 1;
          return Promise.reject(new Error('no room'));
        },
      },
      logger,
    } as unknown as MirrorServices;
    await scheduleMirrors(services).round();
    await scheduleMirrors(services).round();
    expect(pulls).equals(1);
  });
});
