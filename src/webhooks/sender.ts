import type { WakeUps } from '../event-store/postgres/wake-ups.js';
import type { Logger } from '../logging/logger.js';
import { pause } from '../concurrency/pause.js';
import { attempt, targetOf, type AttemptOptions } from './attempt.js';
import type { DueDelivery, Lane, Lanes, Settled } from './lanes.js';

/** The options of a sender; `wakeUps` notifies it of new deliveries sooner than polling would. */
export interface SenderOptions extends AttemptOptions {
  readonly lanes: Lanes;
  readonly wakeUps: WakeUps;
  readonly log: Logger;
}

/** How many hooks are served concurrently, with first attempts and with retries. An unresponsive hook occupies one place. */
export const PLACES = { first: 256, retry: 64 };

const LOOK_EVERY_MS = 500;
/** A hook whose receiver takes longer than this is put behind other hooks after each attempt. */
const SLOW_MS = 500;
const PAUSE_MS = 1_000;
/** How long deliveries may wait for their turn while the receiver fails; older ones are given up. */
const GIVE_UP_AFTER_MS = 12 * 3_600_000;

/** Sends due deliveries: those of one hook one after the other, those of different hooks concurrently. */
export class Sender {
  constructor(private readonly options: SenderOptions) {}

  /** Works until it is aborted; requests in flight are then completed and their outcome recorded. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#serve(false, PLACES.first, signal), this.#serve(true, PLACES.retry, signal)]);
  }

  async #serve(retry: boolean, places: number, signal: AbortSignal): Promise<void> {
    const { lanes, wakeUps, log, now } = this.options;
    const working = new Set<Promise<void>>();
    while (!signal.aborted) {
      const seen = wakeUps.count;
      const free = places - working.size;
      const claimed = await lanes.claim(retry, now(), free).catch((error: unknown) => {
        log.warn({ err: error }, 'deliveries could not be looked for');
        return [];
      });
      for (const lane of claimed) {
        const work: Promise<void> = this.#work(lane, signal).finally(() => working.delete(work));
        working.add(work);
      }
      if (working.size < places) await wakeUps.after(seen, LOOK_EVERY_MS, signal);
      else await Promise.race(working);
    }
    await Promise.all(working);
  }

  /** Serves a lane until nothing is due, or until other hooks should have a turn; never rejects. */
  async #work(claimed: Lane, signal: AbortSignal): Promise<void> {
    const { lanes, log, now, wakeUps } = this.options;
    try {
      for (let lane: Lane | undefined = claimed; lane && !signal.aborted; lane = await lanes.renew(lane)) {
        const due = await lanes.due(lane, now());
        if (due.length === 0 && (await lanes.close(lane))) return;
        if ((await this.#sendEach(lane, due, signal)) === 'leave') break;
      }
      await lanes.giveBack(claimed);
      wakeUps.wake();
    } catch (error) {
      log.warn({ err: error, hook: claimed.hookId }, 'a hook could not be served: again');
      await pause(PAUSE_MS, signal);
      await lanes.giveBack(claimed).catch(() => undefined); // the lease runs out
    }
  }

  async #sendEach(
    lane: Lane,
    due: readonly DueDelivery[],
    signal: AbortSignal,
  ): Promise<'leave' | undefined> {
    const { lanes } = this.options;
    let target = this.#targetOf(due[0]);
    for (const [index, delivery] of due.entries()) {
      const found = await target;
      if (!found || signal.aborted) break;
      const settled = await attempt(delivery, found, this.options);
      target = this.#targetOf(due[index + 1]); // looked up while this outcome is recorded
      if (!(await lanes.settle(lane, delivery.id, settled))) return 'leave';
      this.#report(delivery, settled);
      if (settled.status === 'pending' && (await this.#giveUpWhatIsOld(lane))) break;
      if ((settled.attempt?.durationMs ?? 0) > SLOW_MS) return 'leave';
    }
    return undefined;
  }

  /** Starts looking a target up ahead of its turn. An error is reported only to the caller that awaits it. */
  #targetOf(delivery: DueDelivery | undefined) {
    const target = delivery && targetOf(delivery, this.options);
    target?.catch(() => undefined);
    return target;
  }

  /** Gives up old deliveries, which would otherwise pile up for a receiver that stays away. Tells whether there were any. */
  async #giveUpWhatIsOld(lane: Lane): Promise<boolean> {
    const { lanes, log, now } = this.options;
    const since = new Date(now().getTime() - GIVE_UP_AFTER_MS);
    const deliveries = await lanes.giveUp(lane, since, 'the receiver did not keep up');
    if (deliveries > 0)
      log.error(
        { hook: lane.hookId, deliveries },
        'a receiver does not keep up: old deliveries are given up',
      );
    return deliveries > 0;
  }

  #report({ id, hookId, attempts }: DueDelivery, { status, error, attempt: made }: Settled): void {
    const { log } = this.options;
    const answered = made?.response?.status;
    const facts = { hook: hookId, delivery: id, attempts: attempts + (made ? 1 : 0), answered, error };
    if (status === 'failed') log.error(facts, 'a delivery failed for good');
    else if (status === 'pending') log.info(facts, 'a delivery will be tried again');
    else log.debug(facts, status);
  }
}
