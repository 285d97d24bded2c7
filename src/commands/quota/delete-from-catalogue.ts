import {
  QUOTA_CATALOGUE,
  QuotaCatalogue,
  type QuotaCatalogueCommand,
  type QuotaCatalogueEvent,
} from '../../domain/quota/quota-catalogue.js';
import type { CommandContext } from '../context.js';
import { handleInSteps } from '../handle-in-steps.js';
import type { CommandHandler, Handled } from '../handle.js';

/**
 * Deletes a rule or a group of the catalogue. Takes rules out of groups in steps before, as far as one append could not
 * hold all of it, so that the command is found to be done only once the deletion is.
 */
export async function deleteFromCatalogue(
  commands: CommandHandler,
  kind: 'QuotaRule' | 'QuotaGroup',
  name: string,
  context: CommandContext,
): Promise<Handled<QuotaCatalogueEvent>> {
  const data = { name, at: context.at };
  const lighten: QuotaCatalogueCommand = { type: `Lighten${kind}`, data };
  await handleInSteps(commands, QuotaCatalogue, QUOTA_CATALOGUE, lighten, { context, name: 'lighten' });
  return commands.handle(QuotaCatalogue, QUOTA_CATALOGUE, { type: `Delete${kind}`, data }, context);
}
