import type { Queryable } from '../../database/queryable.js';
import { sql } from '../../database/sql.js';
import { still } from '../../database/still.js';

/** The profile and preferences of a user. */
export interface SettingsRow {
  readonly full_name: string | null;
  readonly website: string;
  readonly description: string;
  readonly location: string;
  readonly pronouns: string;
  readonly language: string;
  readonly theme: string;
  readonly diff_view_style: string;
  readonly enable_repo_unit_hints: boolean;
  readonly hide_email: boolean;
  readonly hide_activity: boolean;
}

/** Finds the settings of a user; undefined if there is no such user. */
export async function findSettings(db: Queryable, accountId: number): Promise<SettingsRow | undefined> {
  const [row] = await db.rows<SettingsRow>(sql`
    select full_name, website, description, location, pronouns, language, theme, diff_view_style,
      enable_repo_unit_hints, hide_email, hide_activity
    from accounts where id = ${accountId} and valid_until = ${still}`);
  return row;
}
