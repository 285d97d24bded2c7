import { secretsNamed } from '../domain/hooks/hook-messages.js';
import { Hook } from '../domain/hooks/hook.js';
import { Repository } from '../domain/repositories/repository.js';
import type { Owners } from '../vault/unproven-secrets.js';
import { settleEdits, type SettleServices } from './accounts/settle-edits.js';

/** Tells the vault, from the log, which of the secrets that commands stored are in use. */
export const secretOwners = ({ commands, vault }: SettleServices): Owners => ({
  hook: async (id) => secretsNamed((await commands.load(Hook, id)).state.hook?.facts ?? {}),
  mirror: async (id) => (await commands.load(Repository, id)).state.status === 'exists',
  edit: async (id) => (await settleEdits({ commands, vault }, id)).exists,
});
