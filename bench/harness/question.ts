import type { World } from '../world/worlds.js';
import type { WorldName } from '../world/size.js';

/** The resources of a measurement. Everything opened through it is closed after the answer. */
export interface Bench {
  /** Smaller amounts and fewer rounds: for trying things out, too noisy to judge by. */
  readonly quick: boolean;
  /** A folder for the CPU profiles of the product's processes. */
  readonly profile: string | undefined;
  /** A fresh database with an empty event log, on the one durable server of the run. */
  database(): Promise<string>;
  /** A database with many of everything, or few, for reading: the same in every run. */
  world(name: WorldName): Promise<World>;
  /** Runs when the question has been answered, the last one registered first. */
  onEnd(close: () => unknown): void;
}

/** Something that is measured. */
export interface Question {
  readonly name: string;
  readonly about: string;
  answer(bench: Bench): Promise<readonly Finding[]>;
}

/** One figure and what it must be. */
export interface Finding {
  readonly what: string;
  readonly value: number;
  /** `×` is a ratio of two figures that were taken in turn. */
  readonly unit: '×' | 'events/s' | 'deliveries/s' | 'repositories/s' | 'read models' | 'MB' | 'ms';
  readonly atLeast?: number;
  readonly atMost?: number;
  /** The figures behind it. */
  readonly detail: string;
}

export const isMet = ({ value, atLeast = -Infinity, atMost = Infinity }: Finding): boolean =>
  value >= atLeast && value <= atMost;
