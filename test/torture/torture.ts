import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/start/free-port.js';
import { dataDir } from '../support/data-dir.js';
import { startEventStoreDbStub } from '../support/eventstoredb-stub/stub.js';
import { StubNetwork } from '../support/eventstoredb-stub/network.js';
import { Site } from '../support/processes/site.js';
import { Tally } from './caller.js';
import { compareDeliveries } from './check/deliveries.js';
import { compareLog } from './check/log.js';
import { runPrograms } from './check/programs.js';
import { expectGapless } from './check/repository.js';
import { compareStorage } from './check/storage.js';
import { compareWorld } from './check/world.js';
import { smallDisk } from './faults/disk.js';
import { strike, type Targets } from './faults/strike.js';
import { openSessions, STORAGE_LIMIT, type Opening } from './open-sessions.js';
import { work } from './load/load.js';
import { ALWAYS, faultsOf, OF_DISK, OF_EVENT_STORE, type FaultKind } from './plan/faults.js';
import { stepsOf } from './plan/steps.js';
import { HookReceiver } from './receiver.js';
import type { Report, Survived } from './report.js';
import type { Session } from './session.js';
import { Violations } from './violations.js';

export interface TortureOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly clients: number;
  /** Where the log is kept: in PostgreSQL, or in an EventStoreDB as `test/support/eventstoredb-stub` plays it. */
  readonly store: 'postgresql' | 'eventstoredb';
  /** How long something is paused, cut off or full at most. */
  readonly longestFaultMs: number;
  /** What may befall it; by default everything that is possible here. */
  readonly only?: readonly FaultKind[];
  /** Leaves the data where they are when something was other than promised. */
  readonly keep: boolean;
  readonly tell: (line: string) => void;
}

const CLIENT_NAMES = (count: number) => Array.from({ length: count }, (_, index) => `c${index + 1}`);

/** Loads a site of its own while faults befall it, then compares everything that clients were told with what is there. */
export async function torture(options: TortureOptions): Promise<Report> {
  const { seed, tell } = options;
  const violations = new Violations();
  const tally = new Tally();
  const undo: (() => Promise<unknown>)[] = [];
  try {
    const { targets, data } = await build(options, violations, undo);
    const { site, wire, receiver } = targets;
    tell(`seed ${seed}, ${data.path}`);
    const opening: Opening = { address: () => `http://127.0.0.1:${wire.port}`, receiver, tally, violations };
    const sessions = await openSessions(opening, CLIENT_NAMES(options.clients));
    undo.push(() => Promise.all(sessions.map(({ options: { git } }) => git.close())));

    const began = performance.now();
    const survived = await load(options, targets, sessions, violations);
    const loaded = (performance.now() - began) / 1_000;
    const deliveriesOwed = await check(options, targets, sessions, violations);
    if (violations.texts.length + tally.internal > 0)
      tell(`log of the site:\n${site.logged().slice(-1_000_000)}`);
    return {
      ...options,
      clients: sessions.length,
      seconds: loaded,
      tally,
      deliveriesOwed,
      survived,
      skipped: targets.disk ? [] : ['fill disk: only a user who may mount a tmpfs can try it'],
      violations: violations.texts,
    };
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** The site and all that is around it; `undo` gets how to take each part away. */
async function build(
  { store, keep, tell }: TortureOptions,
  violations: Violations,
  undo: (() => Promise<unknown>)[],
): Promise<{ targets: Targets; data: { readonly path: string } }> {
  const disk = await smallDisk();
  const data: Awaited<ReturnType<typeof dataDir>> = disk ?? (await dataDir());
  const receiver = await HookReceiver.open();
  undo.push(() => receiver.close());
  const stub = store === 'eventstoredb' ? await startEventStoreDbStub() : undefined;
  if (stub) undo.push(() => stub.stop());
  const port = await freePort('127.0.0.1');
  const site = new Site(data, {
    PORT: String(port),
    ALLOW_LOCAL_NETWORKS: 'true',
    ...(stub && { EVENTSTORE_URL: stub.url }),
  });
  undo.push(async () => {
    const isKept = keep && violations.texts.length > 0;
    if (isKept) tell(`the data are kept: ${data.path}`);
    await (isKept ? site.killEverything() : site.remove());
  });
  const wire = new StubNetwork(port);
  await wire.open();
  undo.push(() => wire.close());
  await site.start();
  return { targets: { site, wire, receiver, disk, store: stub }, data };
}

/** Clients at work, and faults, one after the other, for as long as is wanted; afterwards the site is whole. */
async function load(
  { seed, seconds, longestFaultMs, only, tell }: TortureOptions,
  targets: Targets,
  sessions: readonly Session[],
  violations: Violations,
): Promise<Survived[]> {
  const stop = new AbortController();
  const working = Promise.all(
    sessions.map((session, index) =>
      work(session, stepsOf(seed, index), stop.signal).catch((error: unknown) => {
        violations.add(`${session.name} cannot go on: ${String((error as Error).stack)}`);
      }),
    ),
  );
  const possible: FaultKind[] = [
    ...ALWAYS,
    ...(targets.disk ? OF_DISK : []),
    ...(targets.store ? OF_EVENT_STORE : []),
  ];
  const survived: Survived[] = [];
  const end = performance.now() + seconds * 1_000;
  const wanted = possible.filter((kind) => only?.includes(kind) ?? true);
  for (const fault of faultsOf(seed, wanted, longestFaultMs)) {
    await sleep(Math.min(fault.after, Math.max(0, end - performance.now())));
    if (performance.now() >= end) break;
    await strike(targets, fault);
    const struck = performance.now();
    await targets.site.isReady();
    const recoveredAfter = performance.now() - struck;
    tell(`${fault.kind} (${fault.lasts} ms): ready after ${recoveredAfter.toFixed(0)} ms`);
    survived.push({ fault, recoveredAfter });
  }
  stop.abort();
  await working;
  return survived;
}

/** Compares all there is; gives how many deliveries were owed. */
async function check(
  { store, tell }: TortureOptions,
  { site, receiver }: Targets,
  sessions: readonly Session[],
  violations: Violations,
): Promise<number> {
  tell('comparing');
  await site.isReady();
  await Promise.all(
    sessions.map((session) =>
      compareWorld(session).catch((error: unknown) => {
        violations.add(`${session.name} cannot be compared: ${String((error as Error).stack)}`);
      }),
    ),
  );
  const [first] = sessions;
  if (first) await expectGapless(first, first.shared);
  await compareStorage(sessions, STORAGE_LIMIT);
  const owed = await compareDeliveries(sessions, receiver);
  await runPrograms(site, violations);
  if (store === 'postgresql') await compareLog(site.dataDir, violations);
  return owed;
}
