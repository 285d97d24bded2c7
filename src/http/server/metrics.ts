import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { inTime } from '../system/in-time.js';

/** How far a read model is behind the log. */
export interface Lag {
  readonly projection: string;
  /** How many events of the log it has not seen. In EventStoreDB positions count bytes, and so does this. */
  readonly events: number;
  /** How many seconds ago the oldest of those events was recorded; 0 if there is none. */
  readonly seconds: number;
  /** The event that the read model cannot process and has stopped at; absent while it goes on. */
  readonly stoppedAt?: { readonly stream: string; readonly revision: number; readonly position: bigint };
}

/** The state of a replica of the read models. */
export interface ReplicaLag {
  /** How many seconds ago it last showed what the primary showed at the time; 0 if it does now. */
  readonly lagSeconds: number;
  /** Whether GET routes read from it. */
  readonly serves: boolean;
}

/** Sources that are asked at each scrape of `/metrics`; metrics of those left out are not shown. */
export interface MetricsOptions {
  readonly lags?: () => Promise<readonly Lag[]>;
  /** Counts webhook deliveries by status: those waiting, and those that failed for good within a week. */
  readonly deliveries?: () => Promise<Readonly<Record<string, number>>>;
  readonly replica?: ReplicaLag;
  readonly process?: boolean;
}

/** The metrics of an api process, which `/metrics` shows. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: 'tallyforge_http_request_duration_seconds',
    help: 'Requests by operation and status, and how long they took.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.registry],
  });
  /** The series by operation and status, which bound their number. Looking one up by labels costs more than adding. */
  readonly #series = new Map<string, { observe(seconds: number): void }>();
  readonly #appends = new Counter({
    name: 'tallyforge_appends_total',
    help: 'Appends to the event log by outcome.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #groups = new Histogram({
    name: 'tallyforge_group_commit_size',
    help: 'Appends that were written in one call to the event log.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [this.registry],
  });
  readonly #failures = new Counter({
    name: 'tallyforge_metrics_failed_total',
    help: 'Metrics that a scrape says nothing of because they could not be asked for.',
    labelNames: ['metric'],
    registers: [this.registry],
  });
  readonly #reads = new Counter({
    name: 'tallyforge_reads_total',
    help: 'GET requests by where they read.',
    labelNames: ['source'],
    registers: [],
  });

  /**
   * `lags` and `deliveries` are called at each scrape, and have three seconds to answer. `process` adds event-loop delay,
   * memory and such of Node.js.
   */
  constructor({ lags, deliveries, replica, process = false }: MetricsOptions = {}) {
    if (process) collectDefaultMetrics({ register: this.registry });
    if (lags) this.#collectLags(() => inTime(lags()));
    if (deliveries) this.#collectDeliveries(() => inTime(deliveries()));
    if (replica) this.#collectReplica(replica);
  }

  /** Counts a request; `status` is `none` if the client left before it was sent one. */
  requestAnswered(operation: string, status: number | 'none', seconds: number): void {
    const key = `${operation} ${status}`;
    let series = this.#series.get(key);
    if (!series) this.#series.set(key, (series = this.#requests.labels(operation, String(status))));
    series.observe(seconds);
  }

  /** Counts an append by how it ended. */
  appended(outcome: 'appended' | 'conflict' | 'failed'): void {
    this.#appends.inc({ outcome });
  }

  /** Counts a commit of the log by how many appends it held. */
  groupCommitted(size: number): void {
    this.#groups.observe(size);
  }

  /** Counts a GET by the database it read from; called only if there is a replica. */
  read(source: 'replica' | 'primary'): void {
    this.#reads.inc({ source });
  }

  /** Returns all metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Adds a gauge whose values by label `ask` gives at each scrape. If it rejects, none are shown, which is counted. */
  #ask(
    name: string,
    { help, label }: { readonly help: string; readonly label: string },
    ask: () => Promise<Iterable<readonly [label: string, value: number]>>,
  ): void {
    const failed = () => {
      this.#failures.inc({ metric: name });
      return [];
    };
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        this.reset();
        for (const [key, value] of await ask().catch(failed)) this.set({ [label]: key }, value);
      },
    });
  }

  #collectDeliveries(deliveries: () => Promise<Readonly<Record<string, number>>>): void {
    const help = 'Webhook deliveries that wait, and those of the last week that failed for good.';
    this.#ask('tallyforge_webhook_deliveries', { help, label: 'status' }, async () =>
      Object.entries(await deliveries()),
    );
  }

  #collectReplica(replica: ReplicaLag): void {
    this.registry.registerMetric(this.#reads);
    const gauge = (name: string, help: string, of: () => number) =>
      new Gauge({
        name,
        help,
        registers: [this.registry],
        collect() {
          this.set(of());
        },
      });
    gauge(
      'tallyforge_replica_lag_seconds',
      'How long ago the replica last showed what the primary showed at the time.',
      () => replica.lagSeconds,
    );
    gauge('tallyforge_replica_serves', '1 while GET requests read the replica, else 0.', () =>
      Number(replica.serves),
    );
  }

  #collectLags(lags: () => Promise<readonly Lag[]>): void {
    let asked: Promise<readonly Lag[]> | undefined;
    const askOnce = () => (asked ??= lags().finally(() => (asked = undefined)));
    const gauge = (name: string, help: string, of: (lag: Lag) => number) =>
      this.#ask(name, { help, label: 'projection' }, async () =>
        (await askOnce()).map((lag) => [lag.projection, of(lag)] as const),
      );
    gauge(
      'tallyforge_projection_lag_events',
      'How far a read model is behind the log, in events (with EventStoreDB: in bytes).',
      ({ events }) => events,
    );
    gauge(
      'tallyforge_projection_lag_seconds',
      'How long the oldest event that a read model has not seen has been waiting.',
      ({ seconds }) => seconds,
    );
    gauge(
      'tallyforge_projection_stopped',
      '1 while a read model stands before an event that it cannot take, else 0.',
      ({ stoppedAt }) => (stoppedAt === undefined ? 0 : 1),
    );
  }
}
