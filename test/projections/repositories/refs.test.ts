import { expect } from 'chai';
import type { Columns, ProjectedEvent, Table } from '../../../projections/projection.js';
import { repositories } from '../../../projections/repositories/repositories.js';

describe('the read model of refs', () => {
  it('takes times of whatever offset, and none for what is no time', () => {
    const kept = [
      '2024-01-02T03:04:05+23:59',
      '2024-01-02T03:04:05-16:00',
      '2024-01-02T03:04:05+00:90',
      null,
    ];
    const updates = kept.map((committedAt, index) => {
      const after = '1'.repeat(40);
      return { ref: `refs/heads/${index}`, before: null, after, committedAt };
    });
    const rows: Columns[] = [];
    const nothing = () => undefined;
    const refs: Table = {
      put: (row) => rows.push(row),
      patch: nothing,
      add: nothing,
      remove: nothing,
      removeWhere: nothing,
    };
    const data = { updates, updatedAt: '2024-01-02T03:04:05Z' };
    const event = { type: 'RefsUpdated', streamId: '1', data } as unknown as ProjectedEvent;
    repositories.on.RefsUpdated?.(event, { repositories: refs, refs });
    expect(rows.map(({ committed_at }) => committed_at)).to.deep.equal([
      '2024-01-01T03:05:05.000Z',
      '2024-01-02T19:04:05.000Z',
      null,
      null,
    ]);
  });
});
