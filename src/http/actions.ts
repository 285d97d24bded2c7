import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { step, type CommandContext } from '../commands/context.js';
import type { IdKind } from '../commands/ids.js';
import type { Handled } from '../commands/handle.js';
import type { Queryable } from '../database/queryable.js';
import type { Decider, Message } from '../domain/decider.js';
import type { Position } from '../event-store/event-store.js';
import type { AccountRow } from '../queries/accounts/accounts.js';
import type { Moment } from '../queries/moment.js';
import { clientOf } from './authentication/client-address.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { accountIdOf, findAccount } from './find.js';
import { pageOf, type Page, type PageQuery } from './answers/paging.js';
import { actingAs } from './public-only.js';
import { NotShownYet, POSITION_HEADER, type RecentWrites } from './recent-writes.js';
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

/** What is known about a request's command before its handler runs. */
export type RequestCommand = Pick<CommandContext, 'commandId' | 'beforeAppend' | 'attempted' | 'repeatable'>;

/** What a handler receives. A class with lazy getters: each request makes one, and most handlers use little of it. */
export class HandlerRequest implements Actions {
  /** The following are set as they are found and checked. */
  caller: Caller;
  params: unknown;
  query: unknown;
  body: unknown;
  parent: unknown;
  wasDone = false;

  /** The response headers that tell the client about its writes. */
  readonly written: Record<string, string> = {};
  readonly find: Find = {
    account: (name, at) => findAccount(this.db, name, this.caller, at),
    accountId: (name) => accountIdOf(this.db, name, this.caller),
  };
  readonly db: Queryable;
  readonly #writes: RecentWrites;
  readonly #ctx: Context;
  readonly #command: RequestCommand | undefined;
  #context: CommandContext | undefined;
  #commandsRun = 0;
  #newest: Position | undefined;

  constructor(
    readonly services: Services,
    writes: RecentWrites,
    ctx: Context,
    command?: RequestCommand,
  ) {
    this.db = services.db;
    this.caller = ctx.state.caller;
    this.#writes = writes;
    this.#ctx = ctx;
    this.#command = command;
  }

  get url(): string {
    return this.services.config.baseUrl + this.#ctx.url;
  }

  get client(): string {
    const { state, req } = this.#ctx;
    return clientOf(state.signedInAs?.accountId, req, this.services.config.trustedProxies);
  }

  readonly header = (name: string) =>
    name === 'Range' && this.#ctx.method === 'HEAD' ? '' : this.#ctx.get(name);

  /** The stream that an earlier attempt of the request was about to append to; undefined if there was none. */
  get attempted(): CommandContext['attempted'] {
    return this.#command?.attempted;
  }

  get context(): CommandContext {
    const { caller } = this;
    return (this.#context ??= {
      commandId: randomUUID(),
      ...this.#command,
      at: new Date().toISOString(),
      requestId: this.#ctx.state.requestId,
      ...(caller && actingAs(caller)),
    });
  }

  /** The position of the request's newest write, if reads may not show it yet: read models are late or stopped. */
  get unshown(): Position | undefined {
    const isLate = 'Preference-Applied' in this.written;
    return this.#newest !== undefined && (isLate || !this.services.readYourWrites.shows(this.#newest))
      ? this.#newest
      : undefined;
  }

  readonly now = () => this.context.at;

  readonly newId = (kind: IdKind) => this.services.ids.next(kind);

  readonly page = (query: { readonly page: number; readonly limit: number }) =>
    pageOf(query, this.services.config.page);

  readonly handle: Actions['handle'] = async (decider, id, command) => {
    this.#commandsRun += 1;
    const own = this.#commandsRun === 1 ? this.context : step(this.context, String(this.#commandsRun));
    const handled = await this.services.commands.handle(decider, id, command, own);
    await this.wrote(handled);
    return handled;
  };

  readonly wrote: Actions['wrote'] = async (done) => {
    const position = typeof done === 'bigint' ? done : done.position;
    if (position < 0n) return; // nothing was ever written
    if (this.#newest === undefined || position > this.#newest) this.#newest = position;
    this.written[POSITION_HEADER] = String(this.#newest);
    if (!(await this.#writes.settle(this.#ctx.state.signedInAs?.accountId, position)))
      this.written['Preference-Applied'] = 'respond-async';
  };

  readonly shown = async (): Promise<void> => {
    if (this.#newest === undefined || !('Preference-Applied' in this.written)) return;
    if (!(await this.#writes.shown(this.#newest))) throw new NotShownYet(this.#newest, undefined, true);
    delete this.written['Preference-Applied'];
  };
}
