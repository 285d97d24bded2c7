import type {
  Appended,
  EventData,
  EventStore,
  ExpectedRevision,
  Position,
  ReadOptions,
  SubscribeOptions,
} from '../../src/event-store/event-store.js';

export interface Interception {
  beforeAppend?(stream: string, events: readonly EventData[]): unknown;
  /** The append took place; what is thrown here is all that the writer learns. */
  afterAppend?(stream: string, events: readonly EventData[]): unknown;
  beforeRead?(stream: string): unknown;
}

/** The same store, with steps of the test between the calls: to pause, to fail, to count. */
export class InterceptedStore implements EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly steps: Interception,
  ) {}

  async append(stream: string, expected: ExpectedRevision, events: readonly EventData[]): Promise<Appended> {
    await this.steps.beforeAppend?.(stream, events);
    const appended = await this.store.append(stream, expected, events);
    await this.steps.afterAppend?.(stream, events);
    return appended;
  }

  async readStream(stream: string, options?: ReadOptions) {
    await this.steps.beforeRead?.(stream);
    return this.store.readStream(stream, options);
  }

  subscribe(after: Position, options: SubscribeOptions) {
    return this.store.subscribe(after, options);
  }

  lastPosition(): Promise<Position> {
    return this.store.lastPosition();
  }

  positionAt(time: Date): Promise<Position> {
    return this.store.positionAt(time);
  }

  timeAt(position: Position): Promise<Date> {
    return this.store.timeAt(position);
  }

  ping(): Promise<void> {
    return this.store.ping();
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
