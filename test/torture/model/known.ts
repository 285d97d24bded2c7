/**
 * What is known of things by name. An acknowledged write leaves one value; one whose answer never came leaves two, of
 * which either may be the truth. Undefined is the absence of the thing.
 */
export class Known<V extends string> {
  readonly #values = new Map<string, readonly (V | undefined)[]>();

  /** It is so. */
  set(name: string, value: V | undefined): void {
    this.#values.set(name, [value]);
  }

  /** It is so, or as before. */
  doubt(name: string, value: V | undefined): void {
    this.#values.set(name, [...this.possible(name), value]);
  }

  /** As `set` where there was an answer, else as `doubt`. */
  note(answer: object | undefined, name: string, value: V | undefined): void {
    if (answer) this.set(name, value);
    else this.doubt(name, value);
  }

  /** It may be anything that is there by now: its new value is nobody's to choose. */
  loosen(name: string): void {
    this.#values.set(name, [...this.possible(name), ANYTHING as V]);
  }

  /** The value, where there is no doubt that there is one. */
  get(name: string): V | undefined {
    const possible = this.possible(name);
    return possible.length === 1 ? possible[0] : undefined;
  }

  /** Whether it is certain that there is no such thing. */
  isFree(name: string): boolean {
    return this.possible(name).every((value) => value === undefined);
  }

  /** The names of what is there without doubt. */
  get names(): string[] {
    return [...this.#values.keys()].filter((name) => this.get(name) !== undefined);
  }

  /** The first of `name`, `name-1`, `name-2` … of which it is certain whether it is there. */
  undoubted(name: string): string {
    for (let count = 0; ; count += 1) {
      const candidate = count === 0 ? name : `${name}-${count}`;
      if (this.possible(candidate).length === 1) return candidate;
    }
  }

  /** A copy, with all its doubts. */
  copy(): Known<V> {
    const copy = new Known<V>();
    for (const [name, possible] of this.#values) copy.#values.set(name, possible);
    return copy;
  }

  /** What is there and should not be, is missing, or is other than it may be. */
  differences(what: string, actual: ReadonlyMap<string, string>): string[] {
    const strangers = [...actual.keys()].filter((name) => !this.#values.has(name));
    return [
      ...strangers.map((name) => `${what} ${name}: is there (${actual.get(name) ?? ''}), and nobody made it`),
      ...[...this.#values].flatMap(([name, possible]) => {
        const found = actual.get(name);
        if (possible.some((value) => value === found || (value === ANYTHING && found !== undefined)))
          return [];
        return [`${what} ${name}: is ${show(found)}, must be ${possible.map(show).join(' or ')}`];
      }),
    ];
  }

  private possible(name: string): readonly (V | undefined)[] {
    return this.#values.get(name) ?? [undefined];
  }
}

const ANYTHING = 'anything';

const show = (value: string | undefined): string => value ?? 'absent';
