import { expect } from 'chai';
import { CREATE_CHECKPOINT } from '../../projections/engine/checkpoint.js';
import { schemaOf } from '../../projections/projection.js';
import { projections } from '../../projections/registry.js';
import { alone } from '../../projections/rebuild/rebuild-lock.js';
import { nextSchemaOf, oldSchemaOf, schemaExists } from '../../projections/rebuild/schemas.js';
import { Database } from '../../src/database/database.js';
import { Leftovers } from '../../src/erasure/leftovers.js';
import type { Answers } from '../../src/vault/answers.js';
import { testDatabase, type TestDatabase } from '../support/postgres.js';

describe('what is left of a person who is forgotten', () => {
  let server: TestDatabase;
  let database: Database;
  let leftovers: Leftovers;
  const [projection] = projections;
  const { signal } = new AbortController();
  const forget = () => Promise.resolve();
  const orphans = { removeOrphans: () => Promise.resolve() };

  before(async () => {
    server = await testDatabase();
    database = new Database({ url: server.url, applicationName: 'test' });
    leftovers = new Leftovers(database, { forget }, orphans, projections);
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  const make = async () => {
    if (!projection) throw new Error('there are no projections');
    const schemas = [oldSchemaOf(projection), nextSchemaOf(projection)] as const;
    for (const schema of schemas) await database.rows(`create schema "${schema}" create table accounts ()`);
    return schemas;
  };

  it('is looked for when all read models are past the erasure, and their tables are made', async () => {
    if (!projection) throw new Error('there are no projections');
    const schema = schemaOf(projection);
    let isPast = false;
    const passing = new Leftovers(database, { forget }, orphans, [projection])
      .passed(5n, signal)
      .then(() => (isPast = true));
    await database.rows(
      `create schema "${schema}"; set local search_path to "${schema}"; ${CREATE_CHECKPOINT}`,
    );
    await database.rows(`update "${schema}".checkpoint set position = 4`);
    expect(isPast).to.equal(false);
    await database.rows(`update "${schema}".checkpoint set position = 5`);
    await passing;
    await database.rows(`drop schema "${schema}" cascade`);
  });

  it('goes: answers that it was given, whatever they tell of it, and those of others that show it', async () => {
    const of = (accountId: number, body: object) => ({
      ...{ bodyHash: '', status: 201, headers: {} },
      ...{ accountId, body: JSON.stringify(body) },
    });
    const kept = [
      of(7, { full_name: 'Alice' }),
      of(8, { id: 7, login: 'alice' }),
      of(8, { full_name: 'Bob' }),
      { ...of(8, { url: '/repos/alice/project/labels/1' }), namedId: 7 },
      { ...of(8, { message: '[Assignees]: alice cannot be assigned' }), status: 422 },
    ];
    const told: boolean[] = [];
    const look: Answers['forget'] = (tells) => Promise.resolve(void told.push(...kept.map(tells)));
    await new Leftovers(database, { forget: look }, orphans, []).remove(7, signal);
    expect(told).to.deep.equal([true, true, false, true, true]);
  });

  it('goes: what was put aside, and what was being filled by one that was killed', async () => {
    const schemas = await make();
    await leftovers.remove(7, signal);
    for (const schema of schemas) expect(await schemaExists(database, schema), schema).to.equal(false);
  });

  it('goes once a rebuild that runs has ended, whatever became of it', async () => {
    const [old, next] = await make();
    const removed = await alone(database, async () => {
      const removing = leftovers.remove(7, signal);
      while (await schemaExists(database, old));
      expect(await schemaExists(database, next)).to.equal(true);
      return { removing };
    });
    await removed.removing;
    expect(await schemaExists(database, next)).to.equal(false);
  });
});
