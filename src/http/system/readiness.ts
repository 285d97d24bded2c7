import { PositionNotInLog } from '../../event-store/event-store.js';
import type { Lag, ReplicaLag } from '../server/metrics.js';
import { inTime } from './in-time.js';

/** The state of a part that the api depends on. */
export interface PartReport {
  readonly ready: boolean;
  readonly error?: string;
}

/** How far a read model is behind the log; not ready if that is too far, or if it has stopped. */
export interface ProjectionReport extends PartReport {
  readonly lagEvents: number;
  readonly lagSeconds: number;
  /** The event that the read model cannot process and has stopped at; absent while it goes on. */
  readonly stoppedAt?: { readonly stream: string; readonly revision: number; readonly position: string };
}

/** The answer of `/readyz`: ready if every part is, the replica aside. */
export interface ReadinessReport {
  readonly ready: boolean;
  readonly log: PartReport;
  readonly database: PartReport;
  readonly projections: Readonly<Record<string, ProjectionReport>>;
  /** Present if a replica is configured. The api is ready without it, because the primary answers. */
  readonly replica?: PartReport & { readonly lagSeconds: number };
}

/** Checks every part anew. Never rejects: a part that cannot be checked is not ready. */
export type Readiness = () => Promise<ReadinessReport>;

/**
 * How to check each part; each function rejects if its part cannot be reached, and `lags` with `PositionNotInLog` if the
 * log has lost what the read models show.
 */
export interface ReadinessSources {
  readonly pingLog: () => Promise<unknown>;
  readonly pingDatabase: () => Promise<unknown>;
  readonly lags: () => Promise<readonly Lag[]>;
  readonly replica?: ReplicaLag | undefined;
}

/** A read model that is behind by this many seconds is not ready, because its answers are outdated. */
const TOLERATED_LAG_SECONDS = 10;

/** Checks all parts; one that does not answer within 3 s is not ready. */
export function readinessOf({ pingLog, pingDatabase, lags, replica }: ReadinessSources): Readiness {
  return async () => {
    const [answered, database, measured] = await Promise.all([
      report(pingLog),
      report(pingDatabase),
      inTime(lags()).catch((error: unknown) => (error instanceof PositionNotInLog ? error : undefined)),
    ]);
    const isLost = measured instanceof PositionNotInLog;
    const log = isLost ? { ready: false, error: measured.name } : answered;
    const projections = isLost ? undefined : measured;
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
    await inTime(ping());
    return { ready: true };
  } catch (error) {
    // Only the kind of error, because messages of drivers may hold addresses and names.
    const { code, name } = error as NodeJS.ErrnoException; // a DOMException has a number as code
    return { ready: false, error: typeof code === 'string' ? code : name };
  }
}

function projectionReport({ events, seconds, stoppedAt }: Lag): ProjectionReport {
  return {
    ready: stoppedAt === undefined && seconds < TOLERATED_LAG_SECONDS,
    lagEvents: events,
    lagSeconds: seconds,
    // Without its error, whose message may hold anything.
    ...(stoppedAt && {
      stoppedAt: {
        stream: stoppedAt.stream,
        revision: stoppedAt.revision,
        position: String(stoppedAt.position),
      },
    }),
  };
}
