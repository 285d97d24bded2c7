import type { AccountEvent } from '../../src/domain/accounts/account.js';
import type { AdministratorsEvent } from '../../src/domain/accounts/administrators.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';
import type { OrganizationEvent } from '../../src/domain/organizations/organization.js';
import type { TeamFacts } from '../../src/domain/organizations/team.js';
import type { JsonObject } from '../../src/values/json.js';
import { erasedActors, historyColumns } from '../history-columns.js';
import { projection, type Table } from '../projection.js';

type Tables = { readonly account_changes: Table };

/** A change as the history shows it. `before` is absent if there was no value, `after` if there is none. */
interface Change {
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

/** The events whose values are personal data. The history shows those values until the person is erased. */
const PERSONAL = [
  'AccountCreated',
  'AccountEdited',
  'AccountRenamed',
  'AccountDeleted',
  'AccessTokenCreated',
  'AccessTokenDeleted',
  'PublicKeyAdded',
  'PublicKeyRemoved',
] as const satisfies readonly AccountEvent['type'][];

/** `account_changes`: a row for each change to users, organizations, their teams and members. */
export const accountHistory = projection<AccountEvent | AdministratorsEvent | OrganizationEvent>()({
  name: 'account-history',
  version: 2,
  tables: { account_changes: { key: ['position'] } },
  erases: [
    {
      table: 'account_changes',
      set: 'before = null, after = null',
      where: `account_ids @> array[$1::int8] and type in (${PERSONAL.map((type) => `'${type}'`).join(', ')})`,
    },
    erasedActors('account_changes'),
  ],
  on: {
    AccountCreated: (event, tables) => {
      const { accountId, kind, name, email, fullName, visibility, restricted } = event.data;
      const { website, location, description, repoAdminChangeTeamAccess } = event.data; // of organizations
      const own = { website, location, description, repoAdminChangeTeamAccess };
      const after = { kind, name, email, fullName, visibility, restricted, ...own };
      record(event, tables, [accountId], name !== null && { after });
    },
    AccountEdited: (event, tables) => {
      const { accountId, settingsBefore, settings, profileBefore, profile, newPassword } = event.data;
      const before = { ...settingsBefore, ...profileBefore };
      const after = { ...settings, ...profile, ...(newPassword && { newPassword }) };
      record(event, tables, [accountId], profile !== null && { before, after });
    },
    AccountRenamed: (event, tables) => {
      const { accountId, before, name } = event.data;
      record(event, tables, [accountId], name !== null && { before: { name: before }, after: { name } });
    },
    AccountDeleted: (event, tables) => {
      const { accountId, name } = event.data;
      record(event, tables, [accountId], name !== null && { before: { name } });
    },
    PersonErased: (event, tables) => record(event, tables, [event.data.accountId], false),
    AccessTokenCreated: (event, tables) => {
      const { accountId, name, scopes } = event.data;
      record(event, tables, [accountId], name !== null && { after: { token: name, scopes } });
    },
    AccessTokenDeleted: (event, tables) => {
      const { accountId, name } = event.data;
      record(event, tables, [accountId], name !== null && { before: { token: name } });
    },
    PublicKeyAdded: (event, tables) => {
      const { accountId, title, fingerprint } = event.data;
      record(event, tables, [accountId], title !== null && { after: { key: title, fingerprint } });
    },
    PublicKeyRemoved: (event, tables) => {
      const { accountId, title, fingerprint } = event.data;
      record(event, tables, [accountId], title !== null && { before: { key: title, fingerprint } });
    },
    AdministratorAppointed: (event, tables) =>
      record(event, tables, [event.data.accountId], { before: { admin: false }, after: { admin: true } }),
    AdministratorDismissed: (event, tables) =>
      record(event, tables, [event.data.accountId], { before: { admin: true }, after: { admin: false } }),
    TeamCreated: (event, tables) => record(event, tables, [], { after: team(event.data) }),
    TeamEdited: (event, tables) => {
      const { before, ...after } = event.data;
      record(event, tables, [], { before: team(before), after: team(after) });
    },
    TeamDeleted: (event, tables) => record(event, tables, [], { before: { team: event.data.name } }),
    TeamMemberAdded: (event, tables) => {
      const { accountId, teamName } = event.data;
      record(event, tables, [accountId], { after: { team: teamName } });
    },
    TeamMemberRemoved: (event, tables) => {
      const { accountId, teamName } = event.data;
      record(event, tables, [accountId], { before: { team: teamName } });
    },
    MemberJoined: (event, tables) =>
      record(event, tables, [event.data.accountId], { before: { member: false }, after: { member: true } }),
    MembersLeft: (event, tables) =>
      record(event, tables, event.data.accountIds, { before: { member: true }, after: { member: false } }),
    MembershipPublicized: (event, tables) =>
      record(event, tables, [event.data.accountId], { before: { public: false }, after: { public: true } }),
    MembershipConcealed: (event, tables) =>
      record(event, tables, [event.data.accountId], { before: { public: true }, after: { public: false } }),
  },
});

const team = (facts: TeamFacts): JsonObject => ({
  team: facts.name,
  description: facts.description,
  permission: facts.permission,
  unitsMap: facts.units,
  includesAllRepositories: facts.includesAllRepositories,
  canCreateOrgRepo: facts.canCreateRepositories,
});

/**
 * Writes the history row of an event, about the given accounts and, for an event of an organization's stream, that
 * organization. `change` is false for events of an erased person, whose values are left null.
 */
function record(
  event: DomainEvent,
  { account_changes }: Tables,
  accountIds: readonly number[],
  change: Change | false,
): void {
  const { before, after } = change || {};
  const own = event.stream.startsWith('organization-') ? [Number(event.streamId)] : [];
  account_changes.put({
    account_ids: [...own, ...accountIds],
    ...historyColumns(event, { before: before && asFields(before), after: after && asFields(after) }),
  });
}

/** Renames fields from camelCase to the snake_case that the API uses. */
const asFields = (facts: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
