import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import type { Queryable } from '../../src/database/queryable.js';
import { Changes } from '../../src/vault/changes.js';
import { OtherVaultKey, People } from '../../src/vault/people.js';
import { rejection } from '../support/rejection.js';
import { testVaults, type TestVaults } from '../support/vaults.js';

describe('the keys of people that a process remembers', () => {
  const wrappingKey = randomBytes(32);
  const nothing: ReadonlyMap<number, Buffer> = new Map();
  let vaults: TestVaults;
  /** Of another process, of which nothing is heard by itself. */
  let others: People;
  let changes: Changes;
  let people: People;
  /** What happens between the answer of the database and its arrival. */
  let meanwhile: (() => Promise<void>) | undefined;

  before(async () => {
    vaults = await testVaults();
    others = new People(vaults.database, wrappingKey, new Changes());
  });
  after(() => vaults.close());
  beforeEach(() => {
    changes = new Changes();
    const database: Queryable = {
      async rows<R extends object>(statement: Parameters<Queryable['rows']>[0]) {
        const rows = await vaults.database.rows<R>(statement);
        await meanwhile?.();
        meanwhile = undefined;
        return rows;
      },
    };
    people = new People(database, wrappingKey, changes);
  });

  it('are forgotten where a shredding is told of', async () => {
    await others.ensure(1);
    await people.keysFor([1]);
    await others.shred(1);
    changes.tell(1);
    expect(await people.keysFor([1])).to.deep.equal(nothing);
  });

  it('are all forgotten where one may have been missed', async () => {
    await others.ensure(2);
    await people.keysFor([2]);
    await others.shred(2);
    changes.tell('all');
    expect(await people.keysFor([2])).to.deep.equal(nothing);
  });

  it('are not remembered where they are shredded while they are read', async () => {
    await others.ensure(3);
    meanwhile = async () => {
      await others.shred(3);
      changes.tell(3);
    };
    await people.keysFor([3]);
    expect(await people.keysFor([3])).to.deep.equal(nothing);
  });

  it('tell another key of the vault from one of theirs that is damaged', async () => {
    await others.ensure(4);
    await others.ensure(5);
    await vaults.database.rows('update vault.person_keys set sealed = sealed || sealed where account_id = 4');
    await people.refuseOtherKey();
    const stranger = new People(vaults.database, randomBytes(32), new Changes());
    expect(await rejection(stranger.refuseOtherKey())).to.be.instanceOf(OtherVaultKey);
  });

  it('are of any key where there are none', async () => {
    await vaults.database.rows('delete from vault.person_keys');
    await new People(vaults.database, randomBytes(32), new Changes()).refuseOtherKey();
  });
});
