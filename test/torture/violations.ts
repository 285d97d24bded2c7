/** Everything that was other than promised, in the order in which it was seen. */
export class Violations {
  readonly #texts = new Set<string>();

  add(text: string): void {
    this.#texts.add(text);
  }

  get texts(): readonly string[] {
    return [...this.#texts];
  }
}
