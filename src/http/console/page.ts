import type { Access } from '../access.js';
import type { Context } from '../context.js';
import type { BrowserSession } from './session.js';

/** One request for a page. */
export interface Visit {
  readonly ctx: Context;
  readonly session: BrowserSession | undefined;
}

/** A page of the console: who may see it, and what it does; it writes its answer itself. */
export interface ConsolePage {
  /** In metrics and in the log. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Below `/-/quota`; empty for that itself. */
  readonly path: '' | `/${string}`;
  /** Who is not let in is asked to sign in. */
  readonly access: Access;
  readonly handle: (visit: Visit) => Promise<void> | void;
}

/** Declares a page. Throws where it does not say who may call it. */
export function consolePage(page: ConsolePage): ConsolePage {
  const { id, access } = page as Partial<ConsolePage>;
  if (!access) throw new Error(`page ${id} does not say who may call it`);
  return page;
}
