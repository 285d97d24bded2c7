import { open, seal } from '../vault/sealing.js';
import type { HookTarget } from './planned.js';

/** Seals the target of a delivery with its secrets; a row that is put in another's place does not open. */
export const freeze = (key: Buffer, id: string, target: HookTarget): Buffer =>
  seal(key, JSON.stringify(target), purposeOf(id));

/** What `freeze` sealed. Throws where it is damaged, or of another delivery. */
export const thaw = (key: Buffer, id: string, frozen: Buffer): HookTarget =>
  JSON.parse(open(key, frozen, purposeOf(id)).toString()) as HookTarget;

const purposeOf = (id: string) => `delivery ${id}`;
