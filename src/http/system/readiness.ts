import type { Lag, ReplicaLag } from '../metrics.js';

/** How one part that the api stands on is doing. */
export interface PartReport {
  readonly ready: boolean;
  readonly error?: string;
}

/** How far a read model is behind the log; not ready where that is too far, or where it stopped. */
export interface ProjectionReport extends PartReport {
  readonly lagEvents: number;
  readonly lagSeconds: number;
  /** The event that it cannot take and stands before; absent while it goes on. */
  readonly stoppedAt?: { readonly stream: string; readonly revision: number; readonly position: string };
}

/** What `/readyz` answers: ready where each part but the replica is. */
export interface ReadinessReport {
  readonly ready: boolean;
  readonly log: PartReport;
  readonly database: PartReport;
  readonly projections: Readonly<Record<string, ProjectionReport>>;
  /** Present where one is configured. Without it the api is ready nevertheless: the primary answers. */
  readonly replica?: PartReport & { readonly lagSeconds: number };
}

/** Asks anew each time. Never rejects: what cannot be asked is not ready. */
export type Readiness = () => Promise<ReadinessReport>;

/** What is asked; each rejects where its part cannot be reached. */
export interface ReadinessSources {
  readonly pingLog: () => Promise<unknown>;
  readonly pingDatabase: () => Promise<unknown>;
  readonly lags: () => Promise<readonly Lag[]>;
  readonly replica?: ReplicaLag | undefined;
}

/** A read model that is this far behind does not serve: what it answers is old. */
const TOLERATED_LAG_SECONDS = 10;
const ANSWER_WITHIN_MS = 3_000;

/** Asks each part; one that does not answer within 3 s is not ready. */
export function readinessOf({ pingLog, pingDatabase, lags, replica }: ReadinessSources): Readiness {
  return async () => {
    const [log, database, projections] = await Promise.all([
      report(pingLog),
      report(pingDatabase),
      within(lags()).catch(() => undefined),
    ]);
    const reports = Object.fromEntries(
      (projections ?? []).map((lag) => [lag.projection, projectionReport(lag)]),
    );
    const caughtUp = projections !== undefined && Object.values(reports).every(({ ready }) => ready);
    return {
      ready: log.ready && database.ready && caughtUp,
      log,
      database,
      projections: reports,
      ...(replica && { replica: { ready: replica.serves, lagSeconds: replica.lagSeconds } }),
    };
  };
}

async function report(ping: () => Promise<unknown>): Promise<PartReport> {
  try {
    await within(ping());
    return { ready: true };
  } catch (error) {
    // The kind alone: messages of drivers may hold addresses and names.
    const { code, name } = error as NodeJS.ErrnoException; // that of a DOMException is a number
    return { ready: false, error: typeof code === 'string' ? code : name };
  }
}

function projectionReport({ events, seconds, stoppedAt }: Lag): ProjectionReport {
  return {
    ready: stoppedAt === undefined && seconds < TOLERATED_LAG_SECONDS,
    lagEvents: events,
    lagSeconds: seconds,
    // Without what else is known of it: an error's message may hold anything.
    ...(stoppedAt && {
      stoppedAt: {
        stream: stoppedAt.stream,
        revision: stoppedAt.revision,
        position: String(stoppedAt.position),
      },
    }),
  };
}

function within<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new DOMException(`no answer within ${ANSWER_WITHIN_MS} ms`, 'TimeoutError'));
    }, ANSWER_WITHIN_MS);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
