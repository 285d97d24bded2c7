import type { Queryable } from '../../database/queryable.js';
import type { HookPlace } from '../../domain/hooks/hook-messages.js';
import { Hook } from '../../domain/hooks/hook.js';
import { listHookIds } from '../../queries/hooks/hooks.js';
import type { Vault } from '../../vault/vault.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { unlessGone } from '../unless-refused.js';

interface Services {
  readonly db: Queryable;
  readonly commands: CommandHandler;
  readonly vault: Vault;
}

/** Deletes all hooks, with their secrets, of a repository or account that was deleted. Can safely be repeated. */
export async function retireHooks(
  { db, commands, vault }: Services,
  place: HookPlace,
  context: CommandContext,
): Promise<void> {
  for (const id of await listHookIds(db, place)) {
    const command = { type: 'DeleteHook', data: { at: context.at } } as const;
    await unlessGone(commands.handle(Hook, id, command, step(context, `hook ${id}`)));
    await vault.hookSecrets.forget(id);
  }
}
