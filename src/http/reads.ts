import pg from 'pg';
import type { Queryable } from '../database/queryable.js';
import { DatabaseUnavailable } from '../database/unavailable.js';
import type { Services } from './services.js';

/**
 * Runs the work of a GET, or of another request that changes nothing, with the services to read from. If the replica
 * fails, runs it again on the primary.
 */
export type Reads = <T>(services: Services, work: (services: Services) => Promise<T>) => Promise<T>;

/** Always reads from the primary. */
export const fromPrimary: Reads = (services, work) => work(services);

/** The part of a replica that reads need. */
export interface ReadReplica {
  reader(): Promise<Queryable | undefined>;
}

/** Reads from a replica while it is up to date, else from the primary; tells `count` which one answered. */
export function fromReplica(replica: ReadReplica, count: (source: 'replica' | 'primary') => void): Reads {
  return async (services, work) => {
    const db = await replica.reader();
    if (db) {
      try {
        const result = await work({ ...services, db, readYourWrites: onReplica(services, replica) });
        count('replica');
        return result;
      } catch (error) {
        if (!isOfDatabase(error)) throw error;
      }
    }
    count('primary');
    return work(services);
  };
}

/** The primary's `readYourWrites`, except that waiting requires the replica to have reached the position as well. */
function onReplica({ readYourWrites }: Services, replica: ReadReplica): Services['readYourWrites'] {
  return {
    connected: readYourWrites.connected,
    checkpoint: (projection) => readYourWrites.checkpoint(projection),
    edition: (projection) => readYourWrites.edition(projection),
    shows: (position) => readYourWrites.shows(position),
    async wait(...asked) {
      const reached = await readYourWrites.wait(...asked);
      if (!(await replica.reader())) throw new DatabaseUnavailable('the replica is behind');
      return reached;
    },
  };
}

/** Tells whether the database failed: lost connections, and statements cancelled because a replica removes their rows. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof pg.DatabaseError;
