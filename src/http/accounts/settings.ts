import type { z } from 'zod';
import { editAccount } from '../../commands/accounts/edit-account.js';
import type { Queryable } from '../../database/queryable.js';
import { defined } from '../../values/defined.js';
import { findSettings } from '../../queries/accounts/settings.js';
import { signedIn } from '../access.js';
import { accountAbsent } from './absent.js';
import { route } from '../route.js';
import { problem } from '../schema.js';
import { EditSettingsBody, UserSettings } from './schema.js';

export const getSettings = route({
  id: 'getUserSettings',
  method: 'GET',
  path: '/user/settings',
  access: signedIn,
  scope: 'user',
  answers: { 200: UserSettings, 401: problem },
  handle: ({ caller, db }) => settingsOf(db, caller.accountId),
});

export const editSettings = route({
  id: 'updateUserSettings',
  method: 'PATCH',
  path: '/user/settings',
  access: signedIn,
  scope: 'user',
  body: EditSettingsBody,
  answers: { 200: UserSettings, 401: problem, 422: problem },
  async handle({ caller, body, context, db, services, wrote, shown }) {
    const edit = {
      settings: defined({
        language: body.language,
        theme: body.theme,
        diffViewStyle: body.diff_view_style,
        enableRepoUnitHints: body.enable_repo_unit_hints,
        hideEmail: body.hide_email,
        hideActivity: body.hide_activity,
      }),
      profile: defined({
        fullName: body.full_name,
        website: body.website,
        description: body.description,
        location: body.location,
        pronouns: body.pronouns,
      }),
    };
    await wrote(await editAccount(services, caller.accountId, edit, context));
    await shown();
    return settingsOf(db, caller.accountId);
  },
});

async function settingsOf(db: Queryable, accountId: number): Promise<z.output<typeof UserSettings>> {
  const settings = await findSettings(db, accountId);
  if (!settings) throw accountAbsent();
  return { ...settings, full_name: settings.full_name ?? '' };
}
