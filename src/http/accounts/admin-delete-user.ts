import { deleteUser } from '../../commands/accounts/delete-user.js';
import { invalid } from '../../domain/errors.js';
import { listOrganizationIdsOf } from '../../queries/accounts/organization-ids.js';
import { listWritings } from '../../queries/issues/writings.js';
import { siteAdministrator } from '../access.js';
import { untilShown } from '../moment.js';
import { ownedRepositories } from '../repositories/owned.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { DeleteUserQuery } from './schema.js';
import { refuseOrganization } from './refuse-organization.js';

export const adminDeleteUser = route({
  id: 'adminDeleteUser',
  method: 'DELETE',
  path: '/admin/users/{username}',
  access: siteAdministrator,
  scope: 'admin',
  parent: ({ find, params }) => find.account(params.username),
  query: DeleteUserQuery,
  answers: { 204: nothing, 403: problem, 404: problem, 422: problem, 423: problem },
  async handle({ parent: account, query, caller, context, db, services, wrote }) {
    const { id: accountId } = account;
    const { purge = false, erase = false } = query;
    if (erase && !purge)
      throw invalid(
        'account.erase_without_purge',
        'Erase',
        'takes purge=true: what is left would name the user',
      );
    refuseOrganization(account);
    if (accountId === caller.accountId)
      throw invalid('account.self', 'Username', 'nobody deletes the account that is signed in');
    const organizationsOf = async (position: bigint) => {
      await untilShown(services, position);
      return listOrganizationIdsOf(db, accountId);
    };
    const repositories = ownedRepositories({ db, services, wrote });
    const writings = () => listWritings(db, accountId);
    const deletion = { accountId, purge, erase, organizationsOf, writings, repositories };
    await wrote(await deleteUser(services, deletion, context));
  },
});
