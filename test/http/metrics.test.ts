import { expect } from 'chai';
import { Metrics } from '../../src/http/metrics.js';

describe('metrics', () => {
  it('say nothing of what cannot be asked for, and count that', async () => {
    let isAway = false;
    const unlessAway = <T>(answer: T) =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve(answer);
    const metrics = new Metrics({
      lags: () => unlessAway([{ projection: 'quota', events: 3, seconds: 2 }]),
      deliveries: () => unlessAway({ pending: 5 }),
    });
    const told = async () => {
      const lines = (await metrics.text()).split('\n');
      return lines.filter((line) => /^tallyforge_(projection|webhook|metrics)/.test(line));
    };
    const shown = [
      'tallyforge_projection_lag_events{projection="quota"} 3',
      'tallyforge_projection_lag_seconds{projection="quota"} 2',
      'tallyforge_projection_stopped{projection="quota"} 0',
      'tallyforge_webhook_deliveries{status="pending"} 5',
    ];
    expect(await told()).to.deep.equal(shown);
    isAway = true;
    await told();
    const failed = await told();
    expect(failed).to.have.length(4);
    for (const line of failed)
      expect(line).to.match(/^tallyforge_metrics_failed_total\{metric="tallyforge_.*"\} /);
    isAway = false;
    expect(await told()).to.include.members(shown);
  });
});
