/** Everything that was other than promised, in the order in which it was seen, and when (UTC). */
export class Violations {
  readonly #seen = new Map<string, Date>();

  add(text: string): void {
    if (!this.#seen.has(text)) this.#seen.set(text, new Date());
  }

  get texts(): readonly string[] {
    return Array.from(this.#seen, ([text, at]) => `${at.toISOString().slice(11, 23)} ${text}`);
  }
}
