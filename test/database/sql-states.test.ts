import { expect } from 'chai';
import pg from 'pg';
import { hasSqlState, SQL_STATE } from '../../src/database/sql-states.js';

const answered = (code?: string) =>
  Object.assign(new pg.DatabaseError('no', 2, 'error'), code === undefined ? {} : { code });

describe('an error code of PostgreSQL', () => {
  it('is known by itself', () => {
    expect(hasSqlState(answered('40P01'), SQL_STATE.serialization, SQL_STATE.deadlock)).to.equal(true);
  });

  it('is known by its class', () => {
    expect(hasSqlState(answered('57P03'), SQL_STATE.intervention)).to.equal(true);
  });

  it('is not known by another', () => {
    expect(hasSqlState(answered('57014'), SQL_STATE.sessionEnded, SQL_STATE.connection)).to.equal(false);
  });

  it('is in no other error, whatever its code', () => {
    expect(hasSqlState(answered(), SQL_STATE.connection)).to.equal(false);
    expect(hasSqlState(Object.assign(new Error('no'), { code: '08006' }), SQL_STATE.connection)).to.equal(
      false,
    );
  });
});
