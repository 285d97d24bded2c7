import type { JsonObject } from '../values/json.js';
import type { EventType } from './event-types.js';

/** Converts the data of one old shape to the next one, which may have another type. */
export interface Upcaster {
  readonly from: { readonly type: string; readonly version: number };
  readonly to: { readonly type: string; readonly version: number };
  lift(data: JsonObject): JsonObject;
}

/** An event's type and data, in the shape of `version`. */
export interface Shaped {
  readonly type: string;
  readonly version: number;
  readonly data: JsonObject;
}

/** The upcasters do not lead from every old shape to a current one, so that the process must not start. */
export class BadUpcasters extends Error {
  override readonly name = 'BadUpcasters';
}

/** An event of a shape that this release does not know. */
export class UnknownEventShape extends Error {
  override readonly name = 'UnknownEventShape';
}

type Types = Readonly<Record<string, EventType>>;
/** Upcasters by the shape that they convert. */
type Steps = ReadonlyMap<string, Upcaster>;

/**
 * Checks the upcasters against the registry, and returns the function that converts an event to its current shape. Throws
 * `BadUpcasters` if a shape has two upcasters, a chain is circular or ends before a current shape, or an old version of a
 * type has none. The function returns unknown types as they are, because nothing reads them.
 */
export function upcasting(types: Types, upcasters: readonly Upcaster[]): (event: Shaped) => Shaped {
  const steps = byShape(upcasters);
  checkVersions(types, steps);
  for (const { from } of upcasters) checkChain(from, types, steps);

  return function lift(event: Shaped): Shaped {
    const current = types[event.type]?.version;
    if (current === event.version) return event;
    if (current !== undefined && event.version > current) {
      throw new UnknownEventShape(`${nameOf(event)} is newer than this release, which knows v${current}`);
    }
    const step = steps.get(nameOf(event));
    return step ? lift({ ...step.to, data: step.lift(event.data) }) : event;
  };
}

function byShape(upcasters: readonly Upcaster[]): Steps {
  const steps = new Map<string, Upcaster>();
  for (const upcaster of upcasters) {
    const shape = nameOf(upcaster.from);
    if (steps.has(shape)) throw new BadUpcasters(`${shape} has two upcasters`);
    steps.set(shape, upcaster);
  }
  return steps;
}

/** Checks that every old version of a type has an upcaster, and no current one has. */
function checkVersions(types: Types, steps: Steps): void {
  for (const [type, { version }] of Object.entries(types)) {
    const current = nameOf({ type, version });
    if (steps.has(current)) throw new BadUpcasters(`${current} is current and has an upcaster`);
    for (let old = 1; old < version; old++) {
      const shape = nameOf({ type, version: old });
      if (!steps.has(shape)) throw new BadUpcasters(`${shape} has no upcaster`);
    }
  }
}

/** Checks that the chain of upcasters from an old shape ends at a current one. */
function checkChain(from: Upcaster['from'], types: Types, steps: Steps): void {
  const passed = new Set<string>();
  let at = from;
  for (let step = steps.get(nameOf(at)); step; step = steps.get(nameOf(at))) {
    if (passed.has(nameOf(at))) throw new BadUpcasters(`${nameOf(from)} goes in circles`);
    passed.add(nameOf(at));
    at = step.to;
  }
  if (types[at.type]?.version !== at.version) {
    throw new BadUpcasters(`${nameOf(from)} ends at ${nameOf(at)}, which is not current`);
  }
}

/** Returns the current type of events that are stored under this one, which upcasters may rename. */
export function currentTypeOf(type: string, types: Types, upcasters: readonly Upcaster[]): string {
  if (Object.hasOwn(types, type)) return type;
  const next = upcasters.find(({ from, to }) => from.type === type && to.type !== type);
  return next ? currentTypeOf(next.to.type, types, upcasters) : type;
}

const nameOf = ({ type, version }: { type: string; version: number }) => `${type} v${version}`;
