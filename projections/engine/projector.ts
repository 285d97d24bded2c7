import { Database, type DatabaseOptions } from '../../src/database/database.js';
import { Lease } from '../../src/database/lease.js';
import type { Position } from '../../src/event-store/event-store.js';
import type { Logger } from '../../src/logging/logger.js';
import { pause } from '../../src/concurrency/pause.js';
import { schemaOf, type Projection } from '../projection.js';
import { readCheckpoints } from './checkpoint.js';
import type { EventSource } from './event-source.js';
import { Fleet } from './fleet.js';
import type { Failure, Flushed } from './lane.js';
import { tellingWhatIsPassed } from './passed-over.js';
import { ReadModel } from './read-model.js';
import { clearStopped, listStopped, recordStopped } from './status.js';

/** How often leases are renewed or asked for, in ms. */
export const RENEW_MS = 1_000;

/** The options of a projector. `onFlushed` tells only of the read models that this projector writes itself. */
export interface ProjectorOptions {
  readonly database: DatabaseOptions;
  readonly source: EventSource;
  readonly projections: readonly Projection[];
  readonly log: Logger;
  readonly onFlushed?: (flushed: Flushed) => void;
}

/**
 * Keeps those read models up to date with the log whose leases it gets. It keeps asking for the other leases, and takes
 * those read models over when the process that wrote them is gone. Their schemas must exist.
 */
export class Projector {
  readonly #options: ProjectorOptions;
  readonly #schemas: readonly string[];
  #written: readonly string[] = [];
  /** The schemas of read models that failed in this process and whose recorded status nobody has cleared yet. */
  readonly #stopped = new Set<string>();
  /** The positions at which read models failed before; their status is cleared once they are past it. */
  #failedBefore = new Map<string, Position>();

  constructor(options: ProjectorOptions) {
    const { source, projections, log } = options;
    this.#options = { ...options, source: tellingWhatIsPassed(source, projections, log) };
    this.#schemas = options.projections.map(schemaOf);
  }

  /** Works until it is aborted; then finishes the batches being written and releases its leases. */
  async run(signal: AbortSignal): Promise<void> {
    const { log } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#serve(signal);
      } catch (error) {
        log.warn({ err: error }, 'the projector lost its lease or its database: again');
        await pause(RENEW_MS, signal);
      }
    }
  }

  async #serve(signal: AbortSignal): Promise<void> {
    const lease = await Lease.open(this.#options.database);
    const options = lease.databaseOptions(this.#options.database);
    const database = new Database({ ...options, maxConnections: 1 });
    let fleet: Fleet | undefined;
    this.#written = [];
    try {
      while (!signal.aborted) {
        const wanted = await this.#wanted(lease, database);
        if (fleet?.failure) this.#options.log.warn({ err: fleet.failure.error }, 'projections start again');
        if (fleet?.failure || wanted.join() !== this.#written.join()) {
          await fleet?.stop();
          fleet = await this.#launch(database, options, wanted);
          this.#written = wanted;
        }
        await pause(RENEW_MS, signal);
      }
    } finally {
      await fleet?.stop();
      await Promise.all([lease.release().catch(() => undefined), database.close()]);
    }
  }

  /** Returns the schemas to write now: those whose lease this process holds and that are not stopped. */
  async #wanted(lease: Lease, database: Database): Promise<string[]> {
    const stopped = [...this.#stopped];
    const held = new Set(await lease.renew(this.#schemas));
    const recorded = await listStopped(database);
    // A status that was cleared means that a rebuild has swapped good tables in.
    for (const schema of stopped) if (!recorded.has(schema)) this.#stopped.delete(schema);
    return this.#schemas.filter((schema) => held.has(schema) && !this.#stopped.has(schema));
  }

  async #launch(database: Database, options: DatabaseOptions, schemas: readonly string[]): Promise<Fleet> {
    const { source, projections, log } = this.#options;
    const models = await Promise.all(
      projections
        .filter((projection) => schemas.includes(schemaOf(projection)))
        .map((projection) => ReadModel.open(database, projection, schemaOf(projection))),
    );
    const checkpoints = await readCheckpoints(database, schemas);
    this.#failedBefore = await listStopped(database);
    const positions = [...checkpoints].map(([schema, { position }]) => [schema, String(position)]);
    log.info({ positions: Object.fromEntries(positions) }, 'projecting');
    return new Fleet(
      {
        database: options,
        source,
        log,
        notify: true,
        onFlushed: (flushed) => {
          this.#noteProgress(database, flushed);
          this.#options.onFlushed?.(flushed);
        },
        onFailure: (failure) => this.#noteFailure(database, failure),
      },
      models,
      checkpoints,
    );
  }

  #noteProgress(database: Database, { models, checkpoint }: Flushed): void {
    const passed = [...this.#failedBefore].filter(
      ([failed, failedAt]) =>
        failedAt <= checkpoint.position && models.some(({ schema }) => schema === failed),
    );
    if (passed.length === 0) return;
    const schemas = passed.map(([schema]) => schema);
    for (const schema of schemas) this.#failedBefore.delete(schema);
    clearStopped(database, schemas).catch((error: unknown) => {
      this.#options.log.warn({ err: error, schemas }, 'could not clear the status');
      for (const [schema, failedAt] of passed) this.#failedBefore.set(schema, failedAt); // to be cleared with a later batch
    });
  }

  async #noteFailure(database: Database, failure: Failure): Promise<void> {
    const { model, event, error } = failure;
    const { stream, revision, type } = event;
    this.#options.log.error(
      {
        err: error,
        projection: model.projection.name,
        schema: model.schema,
        stream,
        revision,
        type,
        position: String(event.position),
      },
      'a projection stopped: it cannot take this event',
    );
    await recordStopped(database, failure);
    this.#stopped.add(model.schema);
    this.#written = this.#written.filter((schema) => schema !== model.schema);
  }
}
