import { parse, v5 } from 'uuid';

const NAMESPACE = parse('5d1a4c0e-6f57-4be1-9d63-2f0c8a2f7f1b');

/** Returns the id of the `index`-th event that a command appends to a stream: the same whenever the command is repeated. */
export const eventId = (commandId: string, stream: string, index: number): string =>
  v5(`${commandId}/${stream}/${index}`, NAMESPACE);

/** Returns the command id of one step of a command that takes several: the same whenever the step is repeated. */
export const stepId = (commandId: string, step: string): string => v5(`${commandId}#${step}`, NAMESPACE);
