import { expect } from 'chai';
import fc from 'fast-check';
import { startApi, type TestApi, type TestUser } from '../support/api.js';
import { runs } from './runs.js';

const PEOPLE = ['ann', 'ben', 'cem'] as const;
type Person = (typeof PEOPLE)[number];

interface Real {
  readonly organization: string;
  readonly ownersId: number;
  readonly people: ReadonlyMap<string, TestUser>;
  readonly admin: TestApi['admin'];
}
/** The owners; `ann` founded it. */
interface Believed {
  owners: ReadonlySet<Person>;
}
type Step = fc.AsyncCommand<Believed, Real>;

/** The administrator takes somebody into the team of owners. */
class Promote implements Step {
  constructor(private readonly person: Person) {}
  check = () => true;
  async run(model: Believed, { admin, ownersId }: Real): Promise<void> {
    expect((await admin.put(`/teams/${ownersId}/members/${this.person}`)).status).to.equal(204);
    model.owners = new Set([...model.owners, this.person]);
  }
  toString = () => `${this.person} becomes an owner`;
}

/** Somebody leaves by one of the ways out: the team, or the organization. */
class Leave implements Step {
  constructor(
    private readonly person: Person,
    private readonly way: 'team' | 'organization',
  ) {}
  check = ({ owners }: Readonly<Believed>) => owners.has(this.person);
  async run(model: Believed, { admin, ownersId, organization }: Real): Promise<void> {
    const place = this.way === 'team' ? `/teams/${ownersId}` : `/orgs/${organization}`;
    const { status } = await admin.delete(`${place}/members/${this.person}`);
    const isLast = model.owners.size === 1;
    expect(status, this.toString()).to.equal(isLast ? 422 : 204);
    if (!isLast) model.owners = new Set([...model.owners].filter((owner) => owner !== this.person));
  }
  toString = () => `${this.person} leaves the ${this.way}`;
}

/** All owners go at the same instant: one must stay. */
class LeaveTogether implements Step {
  check = () => true;
  async run(model: Believed, { admin, ownersId, organization }: Real): Promise<void> {
    const leaving = [...model.owners];
    const answers = await Promise.all(
      leaving.map(async (person, index) => {
        const place = index % 2 === 0 ? `/teams/${ownersId}` : `/orgs/${organization}`;
        return [person, (await admin.delete(`${place}/members/${person}`)).status] as const;
      }),
    );
    const stays = answers.filter(([, status]) => status === 422).map(([person]) => person);
    expect(stays, JSON.stringify(answers)).to.have.lengthOf(1);
    expect(answers.filter(([, status]) => status === 204)).to.have.lengthOf(leaving.length - 1);
    model.owners = new Set(stays);
  }
  toString = () => 'all leave together';
}

/** Nobody deletes the team of owners. */
class DeleteOwners implements Step {
  check = () => true;
  async run(_: Believed, { admin, ownersId }: Real): Promise<void> {
    expect((await admin.delete(`/teams/${ownersId}`)).status).to.equal(422);
  }
  toString = () => 'the team of owners is deleted';
}

/** Who is listed as an owner is one, and nobody else may edit the organization. */
class Look implements Step {
  check = () => true;
  async run({ owners }: Believed, { admin, ownersId, organization, people }: Real): Promise<void> {
    const { json } = await admin.get(`/teams/${ownersId}/members`);
    expect((json as { login: string }[]).map(({ login }) => login).sort()).to.deep.equal([...owners].sort());
    for (const [person, client] of people) {
      const { status } = await client.patch(`/orgs/${organization}`, { description: `by ${person}` });
      expect(status === 200, person).to.equal(owners.has(person as Person));
    }
  }
  toString = () => 'look';
}

const person = fc.constantFrom(...PEOPLE);
const steps = [
  person.map((name): Step => new Promote(name)),
  fc
    .tuple(person, fc.constantFrom('team' as const, 'organization' as const))
    .map(([name, way]): Step => new Leave(name, way)),
  fc.constant<Step>(new LeaveTogether()),
  fc.constant<Step>(new DeleteOwners()),
  fc.constant<Step>(new Look()),
];

describe('any commands on who owns an organization', () => {
  let api: TestApi;
  const people = new Map<string, TestUser>();
  let organizations = 0;
  before(async () => {
    api = await startApi();
    for (const name of PEOPLE) people.set(name, await api.createUser(name));
  });
  after(() => api.stop());

  /** One that `ann` has just founded. */
  async function found(): Promise<Real> {
    const organization = `org-${(organizations += 1)}`;
    const founding = await people.get('ann')?.post('/orgs', { username: organization });
    expect(founding?.status).to.equal(201);
    const { json } = await api.admin.get(`/orgs/${organization}/teams`);
    const teams = json as { id: number; name: string }[];
    const ownersId = teams.find(({ name }) => name === 'Owners')?.id ?? 0;
    return { organization, ownersId, people, admin: api.admin };
  }

  it('leave it with an owner', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 20, size: 'max' }), async (commands) => {
        const real = await found();
        const model: Believed = { owners: new Set(['ann']) };
        await fc.asyncModelRun(() => ({ model, real }), commands);
        await new Look().run(model, real);
        expect(model.owners.size).to.be.greaterThan(0);
      }),
      runs(6),
    );
  });
});
