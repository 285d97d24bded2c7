import { expect } from 'chai';
import { settleReservations } from '../../../src/commands/quota/settle-reservations.js';
import { EventStoreUnavailable } from '../../../src/event-store/event-store.js';

describe('reservations that crashed writers left', () => {
  /** Settles those of three accounts, of which the second fails; returns which were tried, and the error. */
  async function settled(failure: Error) {
    const tried: number[] = [];
    const rows = [1, 2, 3].map((account_id) => ({ account_id }));
    const db = { rows: <R extends object>() => Promise.resolve(rows as unknown as R[]) };
    const settleOverdue = (accountId: number) => {
      tried.push(accountId);
      return accountId === 2 ? Promise.reject(failure) : Promise.resolve(0n);
    };
    const error = await settleReservations({ db, storage: { settleOverdue } }).catch(
      (caught: unknown) => caught,
    );
    return { tried, error };
  }

  it('are settled for every account, even if they cannot be for one', async () => {
    const failure = new Error('its repository cannot be measured');
    expect(await settled(failure)).to.deep.equal({ tried: [1, 2, 3], error: failure });
  });

  it('wait while the log is away', async () => {
    const failure = new EventStoreUnavailable('away');
    expect(await settled(failure)).to.deep.equal({ tried: [1, 2], error: failure });
  });
});
