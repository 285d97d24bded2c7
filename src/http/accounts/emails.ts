import { z } from 'zod';
import { addEmails, removeEmails } from '../../commands/accounts/emails.js';
import { emailKey } from '../../domain/accounts/email.js';
import { listEmails, type EmailRow } from '../../queries/accounts/emails.js';
import { signedIn } from '../access.js';
import type { Principal } from '../caller.js';
import { route } from '../route.js';
import { nothing, problem } from '../schema.js';
import { Email, EmailsBody } from './schema.js';

export const listOwnEmails = route({
  id: 'userListEmails',
  method: 'GET',
  path: '/user/emails',
  access: signedIn,
  scope: 'user',
  answers: { 200: z.array(Email), 401: problem },
  async handle({ caller, db }) {
    const rows = await listEmails(db, caller.accountId);
    return rows.map((row) => present(row, caller));
  },
});

/** Answers with those that were added. No mail is sent, so an address counts as soon as it is there. */
export const addOwnEmails = route({
  id: 'userAddEmail',
  method: 'POST',
  path: '/user/emails',
  access: signedIn,
  scope: 'user',
  body: EmailsBody,
  answers: { 201: z.array(Email), 401: problem, 422: problem },
  async handle({ caller, body: { emails }, context, services, wrote }) {
    const { position } = await addEmails(services, { accountId: caller.accountId, emails }, context);
    await wrote(position);
    const added = new Map(emails.map((email) => [emailKey(email), email]));
    return [...added.values()].map((email) => present({ email, primary: false }, caller));
  },
});

export const deleteOwnEmails = route({
  id: 'userDeleteEmail',
  method: 'DELETE',
  path: '/user/emails',
  access: signedIn,
  scope: 'user',
  body: EmailsBody,
  answers: { 204: nothing, 401: problem, 404: problem, 422: problem },
  async handle({ caller, body: { emails }, context, services, wrote }) {
    const { position } = await removeEmails(services, { accountId: caller.accountId, emails }, context);
    await wrote(position);
  },
});

const present = ({ email, primary }: EmailRow, { accountId, name }: Principal): z.output<typeof Email> => ({
  email,
  verified: true,
  primary,
  user_id: accountId,
  username: name,
});
