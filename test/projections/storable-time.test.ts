import { expect } from 'chai';
import { accounts } from '../../projections/accounts/accounts.js';
import type { Columns, Table } from '../../projections/projection.js';
import { storableTime } from '../../projections/storable-time.js';
import type { DomainEvent } from '../../src/domain/domain-event.js';

describe('times that read models store', () => {
  it('are in UTC, and none from other years than 1 to 9999', () => {
    expect(storableTime('2024-01-02T03:04:05+23:59')).to.equal('2024-01-01T03:05:05.000Z');
    expect(storableTime('0000-12-31T23:00:00-05:00')).to.equal('0001-01-01T04:00:00.000Z');
    for (const none of [
      '0001-01-01T00:00:00+01:00',
      '+010000-01-01T00:00:00Z',
      '2024-01-02T03:04:05+00:90',
      '',
      null,
    ])
      expect(storableTime(none), String(none)).to.equal(null);
  });

  it('say when an account was created, by the log where the event says nothing that can be stored', () => {
    const recordedAt = new Date();
    const createdAt = ['2024-01-02T03:04:05+23:59', '+010000-01-01T00:00:00Z'];
    const rows: Columns[] = [];
    const table = { put: (row: Columns) => rows.push(row) } as unknown as Table;
    for (const at of createdAt) {
      const data = { accountId: 1, kind: 'user', name: null, email: null, fullName: null, createdAt: at };
      const event = { type: 'AccountCreated', recordedAt, data } as unknown as DomainEvent;
      accounts.on.AccountCreated?.(event, { accounts: table });
    }
    expect(rows.map(({ created_at }) => created_at)).to.deep.equal(['2024-01-01T03:05:05.000Z', recordedAt]);
  });
});
