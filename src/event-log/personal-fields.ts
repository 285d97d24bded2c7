import type { AccountEvent } from '../domain/accounts/account.js';
import type { Message } from '../domain/decider.js';
import type { IssueEvent } from '../domain/issues/issue-messages.js';

/** Which fields of an event are facts about a person, and which field holds that person's account id. */
export interface PersonalFields {
  readonly person: string;
  readonly fields: readonly string[];
}

type KeysOf<Data, Value> = { [Key in keyof Data]-?: Data[Key] extends Value ? Key : never }[keyof Data];
// Only fields that may be null can be personal, so that every reader has to say what it shows for an erased person.
type Erasable<Data> = { [Key in keyof Data]-?: null extends Data[Key] ? Key : never }[keyof Data];
type Declarations<E extends Message> = {
  readonly [
    Type in E['type'] as [Erasable<Extract<E, { type: Type }>['data']>] extends [never] ? never : Type
  ]: {
    readonly person: KeysOf<Extract<E, { type: Type }>['data'], number>;
    readonly fields: readonly Erasable<Extract<E, { type: Type }>['data']>[];
  };
};

/**
 * The personal fields of every type of event that has some: stored encrypted under the person's key, from the first
 * event on. A field stays personal for good.
 */
export const personalFields: Readonly<Record<string, PersonalFields>> = {
  AccountCreated: {
    person: 'accountId',
    fields: ['name', 'email', 'fullName', 'loginName', 'website', 'location', 'description'],
  },
  AccountEdited: { person: 'accountId', fields: ['profileBefore', 'profile'] },
  AccountRenamed: { person: 'accountId', fields: ['before', 'name'] },
  AccountDeleted: { person: 'accountId', fields: ['name'] },
  PublicKeyAdded: { person: 'accountId', fields: ['title', 'key'] },
  PublicKeyRemoved: { person: 'accountId', fields: ['title'] },
  AccessTokenCreated: { person: 'accountId', fields: ['name'] },
  AccessTokenDeleted: { person: 'accountId', fields: ['name'] },
  IssueOpened: { person: 'posterId', fields: ['title', 'body'] },
  IssueTitleChanged: { person: 'posterId', fields: ['title', 'before'] },
  IssueBodyChanged: { person: 'posterId', fields: ['body', 'before'] },
  IssueCommented: { person: 'authorId', fields: ['body'] },
  CommentEdited: { person: 'authorId', fields: ['body', 'before'] },
} satisfies Declarations<AccountEvent> & Partial<Declarations<IssueEvent>>;
