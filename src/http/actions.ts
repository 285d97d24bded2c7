import type { z } from 'zod';
import type { CommandContext } from '../commands/context.js';
import type { IdKind } from '../commands/ids.js';
import type { Handled } from '../commands/handle.js';
import type { Queryable } from '../database/queryable.js';
import type { Decider, Message } from '../domain/decider.js';
import type { Position } from '../event-store/event-store.js';
import type { AccountRow } from '../queries/accounts/accounts.js';
import type { Moment } from '../queries/moment.js';
import type { Caller } from './caller.js';
import type { Page, PageQuery } from './answers/paging.js';
import type { Services } from './services.js';

/**
 * Look-ups by the names in a request. They throw 404 if nothing has that name, or `AccountMoved` (answered with 307) if
 * the account was renamed.
 */
export interface Find {
  readonly account: (name: string, at?: Moment) => Promise<AccountRow>;
  /** Returns the id of the account that has this name now. */
  readonly accountId: (name: string) => Promise<number>;
}

/** What a handler may do besides reading its request. */
export interface Actions {
  readonly services: Services;
  readonly db: Queryable;
  readonly find: Find;
  /** Returns the time of the request in RFC 3339: that of the first call, or of the first use of `context`. */
  readonly now: () => string;
  /** Returns a new integer id, unique for its kind for good. */
  readonly newId: (kind: IdKind) => Promise<number>;
  /** Returns the part of a list that the query asks for. */
  readonly page: (query: { readonly page: number; readonly limit: number }) => Page;
  /** The absolute URL of this request, as clients know the server. */
  readonly url: string;
  /** The client that the request counts against where each client has a share of something; see `clientOf`. */
  readonly client: string;
  /** Returns a header of the request; empty if it is absent, or means nothing for the method as `Range` for HEAD. */
  readonly header: (name: string) => string;
  /**
   * Whether an earlier attempt has carried the request out, and only its answer is missing: what was checked then may not
   * hold any more. Unlike `context`, it takes no time.
   */
  readonly wasDone: boolean;
  /** The context of commands that append several times; the caller then passes the last position to `wrote`. */
  readonly context: CommandContext;
  /**
   * Runs a command for the caller (see `CommandHandler.handle`). Returns once the caller's next read will show what was
   * written, or after 2 s: then a header of the answer says so, and the caller's next requests wait for the write.
   */
  readonly handle: <Command extends Message, Event extends Message, State>(
    decider: Decider<Command, Event, State>,
    id: string | number,
    command: Command | (() => Promise<Command>),
  ) => Promise<Handled<Event>>;
  /** Waits, as `handle` does, until the caller's next read will show all up to a position, or a command's result. */
  readonly wrote: (done: Position | { readonly position: Position }) => Promise<void>;
  /** For before the answer reads what was written: waits on if `handle` gave up. Throws `NotShownYet` after 10 s. */
  readonly shown: () => Promise<void>;
}

/** What an answer that depends on the viewer is made from. */
export type Viewing = Pick<Actions, 'db' | 'services'> & { readonly caller: Caller };

/** A request for a page of a list. */
export type ListRequest = Viewing &
  Pick<Actions, 'page' | 'url'> & { readonly query: z.output<typeof PageQuery> };
