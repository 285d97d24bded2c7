import { IdBlock } from '../domain/ids/id-block.js';
import { commandQueues } from './command-queues.js';
import { systemCommand } from './context.js';
import { factsOf, type CommandHandler } from './handle.js';

/** The sequences of ids. Users and organizations share `account`. */
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

/** How ids are reserved; each process reserves blocks of its own. */
export interface IdsOptions {
  readonly commands: CommandHandler;
  /** How many ids one append reserves; 100 by default. Those that are left when the process ends are never used. */
  readonly blockSize?: number;
}

/** Integer ids from 1, taken from the log in blocks, so that no process ever gives one twice. */
export class Ids {
  readonly #commands: CommandHandler;
  readonly #blockSize: number;
  readonly #blocks = new Map<IdKind, { next: number; last: number }>();
  readonly #queues = commandQueues();

  constructor({ commands, blockSize = 100 }: IdsOptions) {
    this.#commands = commands;
    this.#blockSize = blockSize;
  }

  /** Returns an id that was never given before and never will be again. */
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
    const command = { type: 'ReserveIdBlock', data } as const;
    return factsOf(await this.#commands.handle(IdBlock, kind, command, context), 'IdBlockReserved');
  }
}

/** Tells whether an id is in a block that some process has reserved. */
export async function wasGiven(
  commands: Pick<CommandHandler, 'load'>,
  kind: IdKind,
  id: number,
): Promise<boolean> {
  const { state } = await commands.load(IdBlock, kind);
  return id < state.next;
}
