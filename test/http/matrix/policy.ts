/**
 * Whose rights differ. Member, team reader and owner are in the organization `acme`: the team reader in its team
 * `readers`, the member in another one.
 */
export const people = [
  'anonymous',
  'stranger',
  'restricted stranger',
  'member',
  'team reader',
  'owner',
  'administrator',
] as const;

export type Person = (typeof people)[number];

/** `'success'` is the route's own status. */
export type Outcome = 'success' | 400 | 401 | 403 | 404 | 422;

export type Answers = Readonly<Record<Person, Outcome>>;

/** Who may do something, as the API promises: written here again, apart from the routes. */
export interface Policy {
  readonly answers: Answers;
  /** What is answered to those without the right where the first name of the path is nobody's. */
  readonly absence: 'refused' | 'not found';
  /** Tokens are answered 401. */
  readonly byPassword?: true;
  /** Tokens limited to what is public are answered 403, once what they reach is found. */
  readonly ofPrivate?: true;
}

/** Everybody else is refused: 401 to the anonymous, 403 to whoever is signed in. */
export const only = (...admitted: readonly Person[]): Policy => ({
  answers: answersOf((person) => {
    if (admitted.includes(person)) return 'success';
    return person === 'anonymous' ? 401 : 403;
  }),
  absence: 'refused',
});

export const answersOf = (answer: (person: Person) => Outcome): Answers =>
  Object.fromEntries(people.map((person) => [person, answer(person)])) as Answers;

/** What people are answered about something that is not there, once they were found to have the right. */
export const whereAbsent = ({ answers }: Policy): Answers =>
  answersOf((person) => (answers[person] === 'success' ? 404 : answers[person]));

export const nowhere: Answers = answersOf(() => 404);

const [, ...signedInPeople] = people;

export const anybody = only(...people);
export const signedIn = only(...signedInPeople);
export const siteAdministrators = only('administrator');

/** For paths that name the account of `member`, with the password alone: else a narrow token could mint a wide one. */
export const selfByPassword: Policy = { ...only('member', 'administrator'), byPassword: true };

/** Of `member`, and nothing to anybody else: what is another's is not there. */
export const ofMember: Policy = {
  answers: answersOf((person) => (person === 'member' ? 'success' : person === 'anonymous' ? 401 : 404)),
  absence: 'refused',
};

/** Organizations they are not in are not there for restricted users, public ones included. */
export const unseenByRestricted = (policy: Policy): Policy => ({
  ...policy,
  answers: { ...policy.answers, 'restricted stranger': 404 },
});

/** Whether the organization or team is there is told before anything is said of rights. */
const inside = (policy: Policy): Policy => ({ ...unseenByRestricted(policy), absence: 'not found' });

const ofTeam = (teamReader: Outcome): Policy =>
  inside({
    ...only('owner', 'administrator'),
    answers: {
      anonymous: 401,
      stranger: 404,
      'restricted stranger': 404,
      member: 403,
      'team reader': teamReader,
      owner: 'success',
      administrator: 'success',
    },
  });

export const anybodyHere = inside(anybody);
export const signedInHere = inside(signedIn);
export const organizationMembers = inside(only('member', 'team reader', 'owner', 'administrator'));
export const organizationOwners = inside(only('owner', 'administrator'));
/** The member writes to the repository `code` of `acme`. */
export const repositoryWriters = inside(only('member', 'owner', 'administrator'));
/** Of the path's user, not even administrators apart. */
export const memberAlone = inside(only('member'));
export const teamReaderAlone = inside(only('team reader'));
export const teamReaders = ofTeam('success');
export const teamOwners = ofTeam(404);
/** Of a repository of the team's organization. */
export const teamRepositoryOwners = ofTeam(403);
