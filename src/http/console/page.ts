import type { Access } from '../access.js';
import type { Context } from '../context.js';
import type { BrowserSession } from './session.js';

/** A request for a page. */
export interface Visit {
  readonly ctx: Context;
  readonly session: BrowserSession | undefined;
}

/** A page of the console: who may see it, and what it does. It writes its answer itself. */
export interface ConsolePage {
  /** The page's name in metrics and the log. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** The path below `/-/quota`; empty for `/-/quota` itself. */
  readonly path: '' | `/${string}`;
  /** Visitors who are not admitted are sent to the sign-in page. */
  readonly access: Access;
  readonly handle: (visit: Visit) => Promise<void> | void;
}

/** Declares a page. Throws if the declaration lacks its access rule. */
export function consolePage(page: ConsolePage): ConsolePage {
  const { id, access } = page as Partial<ConsolePage>;
  if (!access) throw new Error(`page ${id} does not say who may call it`);
  return page;
}
