import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStoreDbStub } from '../../support/eventstoredb-stub/stub.js';
import type { StubNetwork } from '../../support/eventstoredb-stub/network.js';
import type { Role } from '../../support/processes/family.js';
import type { Site } from '../../support/processes/site.js';
import type { Fault } from '../plan/faults.js';
import type { HookReceiver } from '../receiver.js';
import type { SmallDisk } from './disk.js';

/** All that faults can befall. */
export interface Targets {
  readonly site: Site;
  /** Between clients and api. */
  readonly wire: StubNetwork;
  readonly receiver: HookReceiver;
  readonly disk: SmallDisk | undefined;
  readonly store: EventStoreDbStub | undefined;
}

const LOST_APPENDS = 3;

/** Does it, and undoes what does not end by itself. */
export async function strike(targets: Targets, { kind, lasts }: Fault): Promise<void> {
  const { site, wire, receiver, disk, store } = targets;
  switch (kind) {
    case 'kill everything':
      await site.killEverything();
      return site.start();
    case 'kill supervisor':
      await site.kill('supervisor');
      return site.start();
    case 'kill api':
    case 'kill starter':
    case 'kill projector':
    case 'kill dispatcher':
    case 'kill postgres':
    case 'kill keeper':
      return site.kill(kind.slice('kill '.length) as Role);
    case 'pause api':
    case 'pause projector':
    case 'pause dispatcher':
    case 'pause postgres': {
      const goOn = await site.pause(kind.slice('pause '.length) as Role);
      await sleep(lasts);
      goOn();
      return;
    }
    case 'cut connections':
      wire.cut();
      return;
    case 'freeze connections':
      wire.freeze();
      await sleep(lasts);
      wire.thaw();
      return;
    case 'receiver fails':
      receiver.fails = true;
      await sleep(lasts);
      receiver.fails = false;
      return;
    case 'fill disk': {
      const giveBack = await disk?.fill();
      await sleep(lasts);
      return giveBack?.();
    }
    case 'kill event store':
      await store?.kill();
      await sleep(lasts);
      return store?.restart();
    case 'freeze event store':
      store?.network.freeze();
      await sleep(lasts);
      return store?.network.thaw();
    case 'cut event store':
      return store?.network.cut();
    case 'lose appends':
      for (let count = 0; count < LOST_APPENDS; count += 1)
        store?.faults.nextAppends('lose-answer', 'swallow', 'unavailable');
  }
}
