import type { z } from 'zod';
import type { AccountRow } from '../../queries/accounts/accounts.js';
import type { AccessTokenRow } from '../../queries/accounts/access-tokens.js';
import type { Caller } from '../caller.js';
import type { AccountStanding } from '../../vault/credentials.js';
import type { PresenterServices } from '../services.js';
import type { AccessToken, User } from './schema.js';
import { NO_TIME, timeText } from '../answers/time-text.js';
import { ghost } from './special-users.js';

const NEVER_SIGNED_IN = '1970-01-01T00:00:00Z';

/** The viewer of an answer, and the server's address. */
interface View {
  readonly viewer: Caller;
  readonly baseUrl: string;
}

/** Tells whether the viewer sees an account's private fields, which only the user itself and site administrators do. */
export const seesPrivate = (viewer: Caller, accountId: number): boolean =>
  viewer !== undefined && (viewer.isAdmin || viewer.accountId === accountId);

/** Presents a User. `state` is used only for viewers who see private fields; organizations have none. */
export function presentUser(
  row: AccountRow,
  state: AccountStanding | undefined,
  { viewer, baseUrl }: View,
): z.output<typeof User> {
  const name = row.name ?? '';
  const isInside = seesPrivate(viewer, row.id);
  return {
    id: row.id,
    login: name,
    login_name: isInside ? (row.login_name ?? '') : '',
    source_id: isInside ? row.source_id : 0,
    full_name: row.full_name ?? '',
    email: (row.hide_email ? isInside : viewer) ? (row.email ?? '') : placeholderEmail(name, baseUrl),
    avatar_url: `${baseUrl}/avatars/${row.id}`,
    html_url: `${baseUrl}/${encodeURIComponent(name)}`,
    language: isInside ? row.language : '',
    is_admin: isInside && row.is_admin,
    last_login: isInside ? lastLogin(state) : NO_TIME,
    created: timeText(row.created_at),
    restricted: row.restricted,
    active: isInside && (state?.active ?? true),
    prohibit_login: isInside && (state?.prohibited ?? false),
    location: row.location,
    pronouns: row.pronouns,
    website: row.website,
    description: row.description,
    visibility: row.visibility,
    followers_count: 0,
    following_count: 0,
    starred_repos_count: 0,
    username: name,
  };
}

const lastLogin = (state: AccountStanding | undefined): string =>
  state?.lastSignIn ? timeText(state.lastSignIn) : NEVER_SIGNED_IN;

/** Presents the user that stands for the deleted ones. */
export const presentGhost = (baseUrl: string): z.output<typeof User> =>
  presentUser(ghost, undefined, { viewer: undefined, baseUrl });

/** As `presentUser`; reads the account's state from the vault if the viewer may see it. */
export async function presentAccount(
  row: AccountRow,
  viewer: Caller,
  services: PresenterServices,
): Promise<z.output<typeof User>> {
  const { vault, config } = services;
  const state = seesPrivate(viewer, row.id) ? await vault.credentials.state(row.id) : undefined;
  return presentUser(row, state, { viewer, baseUrl: config.baseUrl });
}

/** As `presentAccount`, for a list of accounts; reads the vault once. */
export async function presentUsers(
  rows: readonly AccountRow[],
  viewer: Caller,
  { vault, config }: PresenterServices,
): Promise<z.output<typeof User>[]> {
  const open = rows.filter(({ id }) => seesPrivate(viewer, id)).map(({ id }) => id);
  const states = open.length > 0 ? await vault.credentials.states(open) : new Map<number, AccountStanding>();
  return rows.map((row) => presentUser(row, states.get(row.id), { viewer, baseUrl: config.baseUrl }));
}

/** As `presentUsers`, with the users by id. */
export async function presentUsersById(
  rows: Iterable<AccountRow>,
  viewer: Caller,
  services: PresenterServices,
): Promise<ReadonlyMap<number, z.output<typeof User>>> {
  const users = await presentUsers([...rows], viewer, services);
  return new Map(users.map((user) => [user.id, user]));
}

/** As `presentUsersById`, of those of these accounts that exist. */
export async function presentUsersWithIds(
  ids: readonly number[],
  viewer: Caller,
  services: PresenterServices,
): Promise<ReadonlyMap<number, z.output<typeof User>>> {
  return presentUsersById((await services.accountFacts.findEach(ids)).values(), viewer, services);
}

/** Returns the name and address that a user's commits made here get; a placeholder if the address is hidden or absent. */
export const commitIdentity = (row: AccountRow, baseUrl: string) => ({
  name: row.full_name === null || row.full_name === '' ? (row.name ?? '') : row.full_name,
  email: row.hide_email || !row.email ? placeholderEmail(row.name ?? '', baseUrl) : row.email,
});

const placeholderEmail = (name: string, baseUrl: string) =>
  `${name.toLowerCase()}@${placeholderDomain(baseUrl)}`;

/** Returns the domain of the placeholders for hidden addresses. */
export const placeholderDomain = (baseUrl: string) => `noreply.${new URL(baseUrl).hostname}`;

/** Presents an AccessToken of a list, which leaves out its secret. */
export const presentAccessToken = (row: AccessTokenRow): z.output<typeof AccessToken> => ({
  id: row.id,
  name: row.name,
  sha1: '',
  token_last_eight: row.last_eight,
  scopes: [...row.scopes],
  created_at: timeText(row.created_at),
});
