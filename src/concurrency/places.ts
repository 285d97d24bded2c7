/** How many places there are, and how many of them one client may have. */
export interface PlacesAtMost {
  readonly inAll: number;
  readonly ofOneClient: number;
}

/**
 * Bounds how much is in progress, what waits for its turn included: where there is no place, nothing waits, as it does for
 * `Slots`, but is refused.
 */
export class Places {
  readonly #taken = new Set<{ readonly client: string }>();

  constructor(private readonly most: PlacesAtMost) {}

  /** Takes a place for a client. Returns the function that gives it back; undefined if the client gets none. */
  take(client: string): (() => void) | undefined {
    const own = [...this.#taken].filter((each) => each.client === client);
    if (this.#taken.size >= this.most.inAll || own.length >= this.most.ofOneClient) return undefined;
    const place = { client };
    this.#taken.add(place);
    return () => {
      this.#taken.delete(place);
    };
  }
}
