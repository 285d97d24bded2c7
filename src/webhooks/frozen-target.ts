import { open, seal } from '../vault/sealing.js';
import type { HookTarget } from './planned.js';

/** Encrypts the target of a delivery, with its secrets. It is bound to the delivery's id, so it decrypts in no other row. */
export const freeze = (key: Buffer, id: string, target: HookTarget): Buffer =>
  seal(key, JSON.stringify(target), purposeOf(id));

/** Decrypts what `freeze` encrypted. Throws if it is damaged or of another delivery. */
export const thaw = (key: Buffer, id: string, frozen: Buffer): HookTarget =>
  JSON.parse(open(key, frozen, purposeOf(id)).toString()) as HookTarget;

const purposeOf = (id: string) => `delivery ${id}`;
