import { QUOTA_CATALOGUE, QuotaCatalogue } from '../../domain/quota/quota-catalogue.js';
import type { CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';

/**
 * Records the configured defaults if they differ from those in the log, so that an answer as of any moment knows what
 * applied then. Returns the default groups that do not exist; they are ignored until they do.
 */
export async function recordQuotaDefaults(
  commands: CommandHandler,
  {
    defaultGroups,
    defaultTotal,
  }: { readonly defaultGroups: readonly string[]; readonly defaultTotal: bigint },
  context: CommandContext,
): Promise<readonly string[]> {
  await commands.handle(
    QuotaCatalogue,
    QUOTA_CATALOGUE,
    {
      type: 'RecordQuotaDefaults',
      data: { groups: defaultGroups, total: defaultTotal.toString(), at: context.at },
    },
    context,
  );
  const { groups } = (await commands.load(QuotaCatalogue, QUOTA_CATALOGUE)).state;
  return defaultGroups.filter((name) => !groups.has(name));
}
