import { IdBlock } from '../domain/ids/id-block.js';
import { Queues } from '../queues.js';
import { systemCommand } from './context.js';
import type { CommandHandler } from './handle.js';

/** What has ids of its own. Users and organizations share `account`. */
export type IdKind =
  | 'account'
  | 'repository'
  | 'accessToken'
  | 'publicKey'
  | 'team'
  | 'label'
  | 'quotaGroup'
  | 'quotaRule'
  | 'issue'
  | 'comment'
  | 'milestone'
  | 'hook';

/** Where ids are taken from, and how many at once; each process reserves blocks of its own. */
export interface IdsOptions {
  readonly commands: CommandHandler;
  /** The ids that one append reserves; 100 by default. Those left when the process ends are never used. */
  readonly blockSize?: number;
}

/** Integer ids from 1, taken from the log in blocks, so that no process ever gives one twice. */
export class Ids {
  readonly #commands: CommandHandler;
  readonly #blockSize: number;
  readonly #blocks = new Map<IdKind, { next: number; last: number }>();
  readonly #queues = new Queues();

  constructor({ commands, blockSize = 100 }: IdsOptions) {
    this.#commands = commands;
    this.#blockSize = blockSize;
  }

  /** An id that nobody had or gets again. */
  async next(kind: IdKind): Promise<number> {
    return this.#queues.run(kind, async () => {
      const block = this.#blocks.get(kind);
      if (block && block.next <= block.last) return block.next++;
      const { first, last } = await this.#reserve(kind);
      this.#blocks.set(kind, { next: first + 1, last });
      return first;
    });
  }

  async #reserve(kind: IdKind): Promise<{ readonly first: number; readonly last: number }> {
    const context = systemCommand();
    const data = { kind, size: this.#blockSize, at: context.at };
    const { events } = await this.#commands.handle(IdBlock, kind, { type: 'ReserveIdBlock', data }, context);
    const [reserved] = events;
    if (!reserved) throw new Error(`no ids were reserved for ${kind}`);
    return reserved.data;
  }
}

/** Whether some process may have had this id to give. */
export async function wasGiven(
  commands: Pick<CommandHandler, 'load'>,
  kind: IdKind,
  id: number,
): Promise<boolean> {
  const { state } = await commands.load(IdBlock, kind);
  return id < state.next;
}
