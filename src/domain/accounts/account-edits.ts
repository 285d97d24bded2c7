import type { DataOf } from '../decider.js';
import { difference } from '../difference.js';
import { invalid, notFound } from '../errors.js';
import type { AccountCommand, AccountEvent } from './account-messages.js';
import { hasEmail, including } from './email.js';
import type { AccountProfile, AccountSettings } from './profile.js';

type Edited = DataOf<AccountEvent, 'AccountEdited'>;

/** The parts of an account that edits read and change. */
interface Editable {
  readonly kind: 'user' | 'organization';
  readonly settings: AccountSettings;
  readonly profile: AccountProfile;
}

/** The maximum number of e-mail addresses, because each change records all of them, before and after. */
const MAX_EMAILS = 100;

/** Decides an edit. A user's new primary address is added to the user's addresses; an organization's is no identity. */
export function editAccount(
  { accountId, settings, profile, newPassword, editId, at }: DataOf<AccountCommand, 'EditAccount'>,
  state: Editable,
): readonly AccountEvent[] {
  const { email } = profile;
  const joins = email !== undefined && state.kind === 'user';
  const emails = joins ? { emails: withEmails(state, [email]) } : {};
  return edited(state, {
    accountId,
    settings,
    profile: { ...profile, ...emails },
    newPassword,
    ...(editId !== undefined && { editId }),
    editedAt: at,
  });
}

/** Decides the addition of addresses. Refuses an address that the account has already, and more than the maximum. */
export function addEmails(
  { accountId, emails: added, at: editedAt }: DataOf<AccountCommand, 'AddEmails'>,
  state: Editable,
): readonly AccountEvent[] {
  if (added.some((email) => hasEmail(state.profile.emails, email)))
    throw invalid('account.email_taken', 'Email', 'e-mail already in use');
  return edited(state, { accountId, profile: { emails: withEmails(state, added) }, editedAt });
}

/** Decides the removal of addresses. Refuses an address that the account does not have, and the primary one. */
export function removeEmails(
  { accountId, emails: removed, at: editedAt }: DataOf<AccountCommand, 'RemoveEmails'>,
  state: Editable,
): readonly AccountEvent[] {
  const { emails, email: primary } = state.profile;
  if (!removed.every((email) => hasEmail(emails, email)))
    throw notFound('account.email_absent', 'the account has no such e-mail address');
  if (hasEmail(removed, primary))
    throw invalid('account.email_primary', 'Emails', 'the primary e-mail address stays');
  const left = emails.filter((email) => !hasEmail(removed, email));
  return edited(state, { accountId, profile: { emails: left }, editedAt });
}

/** Tells whether an edit gave up an address, which others may claim from then on. */
export const gaveUpEmail = ({ profileBefore, profile }: Edited): boolean =>
  (profileBefore?.emails ?? []).some((email) => !hasEmail(profile?.emails ?? [], email));

interface Edit {
  readonly accountId: number;
  readonly settings?: Partial<AccountSettings>;
  readonly profile: Partial<AccountProfile>;
  readonly newPassword?: boolean;
  readonly editId?: string;
  readonly editedAt: string;
}

/** Records only what differs, so that a repeated request records nothing. A new password always counts as different. */
function edited(state: Editable, edit: Edit): readonly AccountEvent[] {
  const { accountId, newPassword = false, editId, editedAt } = edit;
  const settings = difference(state.settings, edit.settings ?? {});
  const profile = difference(state.profile, edit.profile);
  if (!settings && !profile && !newPassword) return [];
  const data = {
    accountId,
    settingsBefore: settings?.before ?? {},
    settings: settings?.after ?? {},
    profileBefore: profile?.before ?? {},
    profile: profile?.after ?? {},
    newPassword,
    ...(editId !== undefined && { editId }),
    editedAt,
  };
  return [{ type: 'AccountEdited', data }];
}

/** Returns the account's addresses with more added. Refuses more than the maximum, or than the account had already. */
function withEmails({ profile: { emails } }: Editable, more: readonly string[]): readonly string[] {
  const all = more.reduce(including, emails);
  if (all.length > Math.max(MAX_EMAILS, emails.length))
    throw invalid('account.emails_many', 'Emails', `an account has ${MAX_EMAILS} at most`);
  return all;
}
