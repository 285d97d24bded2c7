import { Account, type Visibility } from '../../domain/accounts/account.js';
import { checkEmail } from '../../domain/accounts/email.js';
import { checkAccountName } from '../../domain/accounts/names.js';
import { forbidden } from '../../domain/errors.js';
import { Organization } from '../../domain/organizations/organization.js';
import { nameClaim } from '../accounts/account-claims.js';
import { createAccount, type CreatedAccount, type CreationServices } from '../accounts/create-account.js';
import { step, type CommandContext } from '../context.js';
import type { CommandHandler } from '../handle.js';
import { checkStays } from './check-stays.js';

/** The facts of an organization to create; text that the request leaves out is empty. */
export interface NewOrganization {
  /** The account that becomes its first owner. */
  readonly creatorId: number;
  readonly name: string;
  readonly fullName: string;
  /** Not unique, because nobody signs in with it; empty if there is none. */
  readonly email: string;
  readonly description: string;
  readonly website: string;
  readonly location: string;
  readonly visibility: Visibility;
  readonly repoAdminChangeTeamAccess: boolean;
}

/**
 * Creates an organization, which is an account in the common name space. Its teams and owners are founded under the id of
 * the account before that exists, so that no organization is ever without owners and a crash leaves nothing to finish.
 * Refuses as `invalid` what breaks a rule, and a name that is taken.
 */
export async function createOrganization(
  services: CreationServices,
  organization: NewOrganization,
  context: CommandContext,
): Promise<CreatedAccount> {
  const { creatorId, ...facts } = organization;
  const { commands, ids, vault } = services;
  checkAccountName(facts.name);
  if (facts.email !== '') checkEmail(facts.email);
  return createAccount(
    services,
    {
      claims: [nameClaim(vault, facts.name)],
      prepare: async (organizationId) => {
        const data = { creatorId, ownersTeamId: await ids.next('team'), at: context.at };
        const own = step(context, `found ${organizationId}`);
        await commands.handle(Organization, organizationId, { type: 'FoundOrganization', data }, own);
        await checkStays(commands, creatorId, context);
      },
      facts: {
        ...facts,
        kind: 'organization',
        loginName: '',
        sourceId: 0,
        restricted: false,
        mustChangePassword: false,
        createdAt: context.at,
      },
    },
    context,
  );
}

/** Refuses if the account may not create organizations. */
export async function checkMayCreateOrganizations(
  commands: CommandHandler,
  accountId: number,
): Promise<void> {
  const { settings } = (await commands.load(Account, accountId)).state;
  if (!settings.allowCreateOrganization) {
    throw forbidden('organization.creation_forbidden', 'you may not create organizations');
  }
}
