import { randomUUID } from 'node:crypto';
import { step, type CommandContext } from '../commands/context.js';
import type { IdKind } from '../commands/ids.js';
import type { Queryable } from '../database/queryable.js';
import type { Position } from '../event-store/event-store.js';
import type { Actions, Find } from './actions.js';
import { pageOf } from './answers/paging.js';
import { clientOf } from './authentication/client-address.js';
import type { Caller } from './caller.js';
import type { Context } from './context.js';
import { accountIdOf, findAccount } from './find.js';
import { actingAs } from './public-only.js';
import { NotShownYet, POSITION_HEADER, type RecentWrites } from './recent-writes.js';
import type { Services } from './services.js';

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
