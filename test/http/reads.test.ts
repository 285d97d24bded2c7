import { expect } from 'chai';
import type { Queryable } from '../../src/database/queryable.js';
import { DatabaseUnavailable } from '../../src/database/unavailable.js';
import { fromReplica } from '../../src/http/reads.js';
import type { Services } from '../../src/http/services.js';
import { rejection } from '../support/rejection.js';

const database = (name: string): Queryable => ({ rows: <R>() => Promise.resolve([{ name }] as R[]) });
const gone: Queryable = { rows: () => Promise.reject(new DatabaseUnavailable('gone')) };

/** What a GET of one statement reads, and what was counted; the replica gives these readers, one a time asked. */
async function readWith(
  ...readers: (Queryable | undefined)[]
): Promise<{ readonly name: string | undefined; readonly counted: readonly string[] }> {
  const counted: string[] = [];
  const reads = fromReplica({ reader: () => Promise.resolve(readers.shift()) }, (source) =>
    counted.push(source),
  );
  const name = await reads(services, async ({ db, readYourWrites }) => {
    if (readers.length > 0) await readYourWrites.wait(7n);
    return (await db.rows<{ name: string }>('select name'))[0]?.name;
  });
  return { name, counted };
}

const services = {
  db: database('primary'),
  readYourWrites: { wait: () => Promise.resolve(true) },
} as unknown as Services;

describe('what a GET reads', () => {
  it('is the replica that shows everything', async () =>
    expect(await readWith(database('replica'))).to.deep.equal({ name: 'replica', counted: ['replica'] }));

  it('is the primary while there is none', async () =>
    expect(await readWith(undefined)).to.deep.equal({ name: 'primary', counted: ['primary'] }));

  it('is the primary, anew, when the replica goes away under it', async () =>
    expect(await readWith(gone)).to.deep.equal({ name: 'primary', counted: ['primary'] }));

  it('is the primary, anew, when the replica does not reach a moment that is named', async () =>
    expect(await readWith(database('replica'), undefined)).to.deep.equal({
      name: 'primary',
      counted: ['primary'],
    }));

  it('is asked once where the refusal is not the database’s', async () => {
    let asked = 0;
    const reads = fromReplica({ reader: () => Promise.resolve(database('replica')) }, () => undefined);
    const refused = reads(services, () => {
      asked += 1;
      return Promise.reject(new RangeError('no such page'));
    });
    expect(await rejection(refused)).to.be.instanceOf(RangeError);
    expect(asked).to.equal(1);
  });
});
