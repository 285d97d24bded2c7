import { expect } from 'chai';
import { whileOvertaken } from '../../src/commands/while-overtaken.js';
import { conflict } from '../../src/domain/errors.js';
import { rejection } from '../support/rejection.js';

describe('work that others overtake', () => {
  const refused = async (...codes: string[]) => {
    const attempts: number[] = [];
    const work = (attempt: number) => {
      attempts.push(attempt);
      return Promise.reject(conflict(codes[attempt - 1] ?? 'overtaken', 'somebody was first'));
    };
    const error = await rejection(whileOvertaken(['overtaken'], 3, work));
    return [(error as unknown as { code: string }).code, attempts] as const;
  };

  it('is done again, so many times at most', async () => {
    expect(await refused()).to.deep.equal(['overtaken', [1, 2, 3]]);
  });

  it('is over with any other refusal', async () => {
    expect(await refused('overtaken', 'other')).to.deep.equal(['other', [1, 2]]);
  });
});
