import type { Appended, ExpectedRevision } from '../event-store.js';
import type { SerialisedEvent } from '../validate.js';

/** A checked append that waits for its answer. */
export interface PendingAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly SerialisedEvent[];
  /** By the clock of `performance.now()`. */
  readonly since: number;
  resolve(place: Appended): void;
  reject(error: unknown): void;
}

const MAX_GROUP_APPENDS = 500;
const MAX_GROUP_EVENTS = 2_000;
const MAX_GROUP_BYTES = 4 * 1_048_576;

/** While PostgreSQL commits one group, the next is already on its way: neither side waits for the other. */
const MAX_UNDER_WAY = 2;
/** If this many appends arrive together, they are sent as two groups, whose commits then overlap. */
const WORTH_HALVING = 64;

/**
 * Gathers the appends that arrive while others are being committed into groups: the more writers, the fewer commits
 * for each. At most one append of a stream is under way; the next one of that stream waits for its answer.
 */
export class GroupCommit {
  readonly #ready: PendingAppend[] = [];
  /** The appends that wait behind another one of their stream, by each stream with an append ready or under way. */
  readonly #behind = new Map<string, PendingAppend[]>();
  #underWay = 0;
  #scheduled = false;
  readonly #whenIdle: (() => void)[] = [];

  /** `commit` answers every append of the group and never rejects. */
  constructor(private readonly commit: (group: readonly PendingAppend[]) => Promise<void>) {}

  /** Takes an append into the next group, or a later one while another append of its stream is under way. */
  add(append: PendingAppend): void {
    const behind = this.#behind.get(append.stream);
    if (behind) {
      behind.push(append);
      return;
    }
    this.#behind.set(append.stream, []);
    this.#ready.push(append);
    this.#schedule();
  }

  /** Resolves when every append has been answered. */
  async idle(): Promise<void> {
    if (this.#behind.size > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  /** Sends after this turn of the event loop, so that all its appends join, such as those of writers just answered. */
  #schedule(): void {
    if (this.#scheduled || !this.#maySend()) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#maySend()) void this.#send(this.#ready.splice(0, this.#groupSize()));
    });
  }

  async #send(group: readonly PendingAppend[]): Promise<void> {
    this.#underWay++;
    await this.commit(group);
    this.#underWay--;
    for (const { stream } of group) this.#advance(stream);
    if (this.#behind.size === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
    this.#schedule();
  }

  #maySend(): boolean {
    return this.#ready.length > 0 && this.#underWay < MAX_UNDER_WAY;
  }

  #advance(stream: string): void {
    const next = this.#behind.get(stream)?.shift();
    if (next) this.#ready.push(next);
    else this.#behind.delete(stream);
  }

  /** Returns how many of the ready appends fit in a group, from the first one on: at least one. */
  #groupSize(): number {
    const halve = this.#underWay === 0 && this.#ready.length >= WORTH_HALVING;
    const most = halve ? Math.ceil(this.#ready.length / 2) : this.#ready.length;
    let size = 0;
    let events = 0;
    let bytes = 0;
    for (const append of this.#ready) {
      events += append.events.length;
      for (const event of append.events) bytes += event.bytes;
      const tooMuch =
        size === Math.min(most, MAX_GROUP_APPENDS) || events > MAX_GROUP_EVENTS || bytes > MAX_GROUP_BYTES;
      if (size > 0 && tooMuch) break;
      size++;
    }
    return size;
  }
}
