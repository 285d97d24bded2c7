import {
  QUOTA_CATALOGUE,
  QuotaCatalogue,
  type QuotaCatalogueCommand,
  type QuotaCatalogueEvent,
} from '../../domain/quota/quota-catalogue.js';
import { step, type CommandContext } from '../context.js';
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
  const isTooMuch = async () => {
    const { state } = await commands.load(QuotaCatalogue, QUOTA_CATALOGUE);
    return QuotaCatalogue.decide(lighten, state).length > 0;
  };
  for (let round = 1; await isTooMuch(); round++)
    await commands.handle(QuotaCatalogue, QUOTA_CATALOGUE, lighten, step(context, `lighten ${round}`));
  return commands.handle(QuotaCatalogue, QUOTA_CATALOGUE, { type: `Delete${kind}`, data }, context);
}
