import pg from 'pg';
import type { Queryable } from '../database/database.js';
import { DatabaseUnavailable } from '../database/unavailable.js';
import type { Services } from './services.js';

/**
 * Runs the work of a GET, which changes nothing, with the services that it reads from: a second time, on the primary,
 * where the replica could not answer it.
 */
export type Reads = <T>(services: Services, work: (services: Services) => Promise<T>) => Promise<T>;

/** Reads on the primary, always. */
export const fromPrimary: Reads = (services, work) => work(services);

/** A replica as reads see it. */
export interface ReadReplica {
  reader(): Promise<Queryable | undefined>;
}

/** Reads from a replica while it shows what the primary does, else from the primary; `count` is told which. */
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

/** A moment that a request names must have reached the replica as well. */
function onReplica({ readYourWrites }: Services, replica: ReadReplica): Services['readYourWrites'] {
  return {
    connected: readYourWrites.connected,
    edition: (projection) => readYourWrites.edition(projection),
    shows: (position) => readYourWrites.shows(position),
    async wait(...asked) {
      const reached = await readYourWrites.wait(...asked);
      if (!(await replica.reader())) throw new DatabaseUnavailable('the replica is behind');
      return reached;
    },
  };
}

/** Lost connections, and statements that a replica ends because rows they look at are going away. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable || error instanceof pg.DatabaseError;
