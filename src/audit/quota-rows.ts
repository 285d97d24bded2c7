import type { Position } from '../event-store/event-store.js';

/** A row in the form `table key: values`, so that rows can be compared and printed. Equal texts are equal rows. */
export type RowText = string;

/** A row that holds from the position of one event until that of another, which is `STILL` if it holds at the end. */
export interface HeldRow {
  readonly row: RowText;
  readonly from: Position;
  readonly until: Position;
}

interface Rule {
  readonly id: number;
  readonly name: string;
  readonly limit: string;
  readonly subjects: readonly string[];
}
interface Defaults {
  readonly name: string;
  readonly groups: readonly string[];
  readonly total: string;
}
interface Used {
  readonly accountId: number;
  readonly subject: string;
  readonly bytes: bigint | string;
}
interface Reserved extends Used {
  readonly id: string;
  readonly objectId: string;
  readonly expiresAt: string;
}

/** The texts of the rows of each table. What would run together with its neighbours is in quotes. */
export const quotaRow = {
  rule: ({ id, name, limit, subjects }: Rule): RowText =>
    `rule ${id}: ${word(name)} ${limit} ${words(subjects)}`,
  group: ({ id, name }: Pick<Rule, 'id' | 'name'>): RowText => `group ${id}: ${word(name)}`,
  groupRule: ({ groupId, ruleId }: { groupId: number; ruleId: number }): RowText =>
    `group rule ${groupId} ${ruleId}`,
  member: ({ groupId, accountId }: { groupId: number; accountId: number }): RowText =>
    `member ${groupId} ${accountId}`,
  defaults: ({ name, total, groups }: Defaults): RowText =>
    `defaults ${word(name)}: ${total} ${words(groups)}`,
  usage: ({ accountId, subject, bytes }: Used): RowText => `usage ${accountId} ${word(subject)}: ${bytes}`,
  reservation: ({ accountId, id, objectId, subject, bytes, expiresAt }: Reserved): RowText =>
    `reservation ${accountId} ${id}: ${word(objectId)} ${word(subject)} ${bytes} until ${expiresAt}`,
};

const words = (texts: readonly string[]): string => texts.map(word).join(' ');
const word = (text: string): string => (/^[^\s"]+$/.test(text) ? text : JSON.stringify(text));
