/** What travels with every event besides its facts. */
export interface EventMetadata {
  /**
   * Who did it: the account's id and its name at the time; absent where the system itself did. `name` is null once
   * erased.
   */
  readonly actor?: { readonly id: number; readonly name: string | null };
  /** The request that began it all. */
  readonly $correlationId: string;
  /** The command that gave this event. */
  readonly $causationId: string;
  readonly requestId?: string;
  /** When the command was taken, RFC 3339. */
  readonly at: string;
  /** The shape of `data`: see the upcasters. */
  readonly schemaVersion: number;
}
