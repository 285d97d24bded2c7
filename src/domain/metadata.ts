/** The metadata of an event. */
export interface EventMetadata {
  /** The account that caused the event, with its name at that time (null once erased); absent if the system did. */
  readonly actor?: { readonly id: number; readonly name: string | null };
  /** Whether the actor's token was limited to what is public, which binds what follows from the event as well. */
  readonly publicOnly?: true;
  /** The id of the command that everything began with. */
  readonly $correlationId: string;
  /** The id of the command that produced this event. */
  readonly $causationId: string;
  /** The id of the request that appended the event; absent if none did. */
  readonly requestId?: string;
  /** When the command was received, RFC 3339. */
  readonly at: string;
  /** The version of the shape of `data`; see the upcasters. */
  readonly schemaVersion: number;
}
