import { z } from 'zod';
import { addEmails, removeEmails } from '../../commands/accounts/emails.js';
import { invalid } from '../../domain/errors.js';
import { listEmails } from '../../queries/accounts/emails.js';
import type { Queryable } from '../../database/queryable.js';
import { signedIn } from '../access.js';
import type { Principal } from '../caller.js';
import { route } from '../route.js';
import { placeholderDomain } from './presenter.js';
import { nothing, problem } from '../schema.js';
import { CreateEmailBody, DeleteEmailBody, Email } from './schema.js';

export const listOwnEmails = route({
  id: 'userListEmails',
  method: 'GET',
  path: '/user/emails',
  access: signedIn,
  scope: 'user',
  answers: { 200: z.array(Email), 401: problem },
  handle: ({ caller, db }) => emailsOf(db, caller),
});

/** Throws 422 for placeholders: commits made here for users who hide their address would become somebody else's. */
function refuseStandIns(emails: readonly string[], baseUrl: string): void {
  const domain = `@${placeholderDomain(baseUrl)}`;
  if (emails.some((email) => email.toLowerCase().endsWith(domain)))
    throw invalid('account.email_reserved', 'Email', 'stands in for an address that is hidden');
}

/** Adds addresses and answers with all that the caller has then. They count at once, because no mail is sent. */
export const addOwnEmails = route({
  id: 'userAddEmail',
  method: 'POST',
  path: '/user/emails',
  access: signedIn,
  scope: 'user',
  body: CreateEmailBody,
  answers: { 201: z.array(Email), 401: problem, 422: problem },
  async handle({ caller, body: { emails }, context, db, services, wrote, shown }) {
    refuseStandIns(emails, services.config.baseUrl);
    await wrote(await addEmails(services, { accountId: caller.accountId, emails }, context));
    await shown();
    return emailsOf(db, caller);
  },
});

/** Removes addresses; none if the body names none. */
export const deleteOwnEmails = route({
  id: 'userDeleteEmail',
  method: 'DELETE',
  path: '/user/emails',
  access: signedIn,
  scope: 'user',
  body: DeleteEmailBody,
  answers: { 204: nothing, 401: problem, 404: problem, 422: problem },
  async handle({ caller, body: { emails = [] }, context, services, wrote }) {
    if (emails.length === 0) return;
    await wrote(await removeEmails(services, { accountId: caller.accountId, emails }, context));
  },
});

async function emailsOf(db: Queryable, { accountId, name }: Principal): Promise<z.output<typeof Email>[]> {
  const rows = await listEmails(db, accountId);
  return rows.map(({ email, primary }) => ({
    email,
    verified: true,
    primary,
    user_id: accountId,
    username: name,
  }));
}
