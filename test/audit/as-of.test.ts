import { expect } from 'chai';
import { standingAsOf } from '../../src/audit/standing-as-of.js';
import { presentQuotaInfo } from '../../src/http/quota/presenter.js';
import { stringifyJson } from '../../src/values/json.js';
import { Random } from '../support/random.js';
import { allAnswers, recordQuotas, USERS, type RecordedQuotas } from './recorded-quotas.js';

const seed = Number(process.env.AS_OF_SEED ?? Math.floor(Math.random() * 2 ** 31));

describe('quotas as of a moment', () => {
  let past: RecordedQuotas;
  const asOf = (moment: string) => allAnswers(past.api, past.alice, moment);
  const log = () => past.api.connections.log;

  before(async () => {
    past = await recordQuotas(new Random(seed), 40);
  });
  after(() => past.api.stop());
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.error(`AS_OF_SEED=${seed}`);
  });

  it('are at each position what was answered right after it', async () => {
    for (const [position, answers] of past.answers)
      expect(await asOf(String(position)), `position ${position}`).to.deep.equal(answers);
  });

  it('are now what is answered without a moment, and so are those of moments yet to come', async () => {
    const live = await allAnswers(past.api, past.alice);
    const last = await log().lastPosition();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    for (const moment of [String(last), String(last + 1_000n), String(2n ** 63n - 1n), tomorrow])
      expect(await asOf(moment), moment).to.deep.equal(live);
  });

  it('are nothing before the first event', async () => {
    for (const moment of ['0', '2001-01-01T00:00:00Z'])
      expect((await past.api.admin.get(`/admin/quota/rules?as_of=${moment}`)).json).to.deep.equal([]);
  });

  it('are at a time what they were after the last event until then, in any time zone', async () => {
    const events = new Map<number, bigint>();
    for await (const batch of log().subscribe(0n, { signal: AbortSignal.timeout(60_000) })) {
      for (const { recordedAt, position } of batch.events) events.set(recordedAt.getTime(), position);
      if (batch.caughtUp) break;
    }
    const times = [...events].filter((_, index) => index % 5 === 0);
    for (const [time, position] of times) {
      const utc = new Date(time).toISOString();
      const elsewhere = new Date(time + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
      const answers = await asOf(String(position));
      expect(await asOf(utc), utc).to.deep.equal(answers);
      expect(await asOf(elsewhere), elsewhere).to.deep.equal(answers);
      const unescaped = elsewhere.replace('+', ' ');
      expect(await asOf(unescaped), unescaped).to.deep.equal(answers);
    }
  });

  it('are at every position what the log alone gives', async () => {
    const last = await log().lastPosition();
    for (const user of USERS) {
      const id = past.ids.get(user) ?? 0;
      for (let position = 1n; position <= last; position += 1n) {
        const { status, text } = await past.api.admin.get(`/admin/users/${user}/quota?as_of=${position}`);
        if (status === 404) continue; // not there yet
        const { own, ...standing } = await standingAsOf(log(), id, position);
        const groups = own.map(({ name, rules }) => ({ name, rules }));
        const folded = presentQuotaInfo({ ...standing, own: groups }, 'with names');
        expect(JSON.parse(text), `${user} at ${position}`).to.deep.equal(JSON.parse(stringifyJson(folded)));
      }
    }
  });

  it('refuse what is no moment', async () => {
    for (const moment of [
      'yesterday',
      '-1',
      '1.5',
      '2026-01-01',
      '2026-13-01T00:00:00Z',
      String(2n ** 63n),
      '',
    ]) {
      const { status } = await past.api.admin.get(`/admin/quota/rules?as_of=${moment}`);
      expect(status, moment).to.equal(422);
    }
  });
});
