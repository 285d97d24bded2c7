import { expect } from 'chai';
import type { MirroringCommand } from '../../src/domain/repositories/mirroring.js';
import { Repository, type RepositoryState } from '../../src/domain/repositories/repository.js';
import { MirrorSchedule, type MirrorScheduleOptions } from '../../src/mirrors/schedule.js';
import { scheduleMirrors, type MirrorServices } from '../../src/mirrors/schedule-mirrors.js';
import { createLogger } from '../../src/logging/logger.js';
import type { DueMirror } from '../../src/queries/repositories/mirrors.js';

const logger = createLogger({ name: 'test', level: 'silent' });
const mirrors = (count: number, ownerOf = (repositoryId: number) => repositoryId): DueMirror[] =>
  Array.from({ length: count }, (_, index) => ({
    repositoryId: index + 1,
    ownerId: ownerOf(index + 1),
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

  it('pulls each that is due once, four at a time', async () => {
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
    expect(most).equals(4);
  });

  it('pulls those of others while all of one owner take their time', async () => {
    const pulled: number[] = [];
    let goOn: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (goOn = resolve));
    const pull = async ({ repositoryId, ownerId }: DueMirror) => {
      pulled.push(repositoryId);
      if (ownerId === 1) await slow;
    };
    const due = () => Promise.resolve(mirrors(9, (id) => (id <= 6 ? 1 : id)));
    const round = schedule({ due, pull }).round();
    while (!pulled.includes(9)) await new Promise(setImmediate);
    expect(pulled).deep.equals([1, 2, 7, 8, 9]);
    goOn();
    await round;
    expect(pulled).deep.equals([1, 2, 7, 8, 9, 3, 4, 5, 6]);
  });

  it('pulls what comes to be due while another takes its time', async () => {
    const pulled: number[] = [];
    let goOn: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (goOn = resolve));
    const [first, second] = mirrors(2);
    let shown = [first, second].slice(0, 1);
    const pull = async (mirror: DueMirror) => {
      pulled.push(mirror.repositoryId);
      if (mirror === first) await slow;
    };
    const due = () => Promise.resolve(shown.flatMap((mirror) => mirror ?? []));
    const round = schedule({ due, pull, everyMs: 1 }).round();
    while (pulled.length < 1) await new Promise(setImmediate);
    shown = [first, second];
    while (!pulled.includes(2)) await new Promise(setImmediate);
    shown = [];
    goOn();
    await round;
    expect(pulled.filter((id) => id === 1)).deep.equals([1]);
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
