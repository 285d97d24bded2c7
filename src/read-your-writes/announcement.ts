import type { Position } from '../event-store/event-store.js';

/** The channel on which the projector tells other processes how far the read models are, by one of the payloads below. */
export const CHECKPOINTS_CHANNEL = 'checkpoints';

/** The payload that says that the list of stopped projections has changed. */
export const STATUS_CHANGED = 'status';

/** The progress of one transaction. */
export interface Announcement {
  /** The position that the schemas have reached. */
  readonly position: Position;
  readonly schemas: readonly string[];
  /** Those of the schemas whose rows have changed. */
  readonly changed: readonly string[];
}

/** Returns the payload of an announcement: `<position> <schema>,<schema>… <schema>,…`. */
export const payloadOf = ({ position, schemas, changed }: Announcement): string =>
  `${position} ${schemas.join()} ${changed.join()}`;

/** Parses the payload of an announcement; undefined for any other text, because anybody who may connect may notify. */
export function parseAnnouncement(payload: string): Announcement | undefined {
  const [position = '', schemas = '', changed = ''] = payload.split(' ');
  if (!/^-?\d+$/.test(position)) return undefined;
  return { position: BigInt(position), schemas: schemas.split(','), changed: changed.split(',') };
}
