import { expect } from 'chai';
import {
  QuotaRefusals,
  type QuotaRefusalsCommand,
  type QuotaRefusalsEvent,
} from '../../../src/domain/quota/quota-refusals.js';
import type { QuotaSubject } from '../../../src/domain/quota/subjects.js';
import { specification } from '../../support/specification.js';

const at = '2026-01-01T00:00:30Z';
const minuteAt = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;

const facts = (minute: number, subject: QuotaSubject = 'size:repos:public') => ({
  minute: minuteAt(minute),
  group: 'small',
  rule: 'few',
  subject,
  limit: '10',
  used: '9',
  incoming: '2',
  position: '41',
});
const record = (...of: Parameters<typeof facts>): QuotaRefusalsCommand => ({
  type: 'RecordRefusal',
  data: { ...facts(...of), at },
});
const count = (more: number, ...of: Parameters<typeof facts>): QuotaRefusalsCommand => ({
  type: 'CountRefusals',
  data: { ...facts(...of), more, at },
});
const refused = (...of: Parameters<typeof facts>): QuotaRefusalsEvent => ({
  type: 'QuotaRefused',
  data: { ...facts(...of), refusedAt: at },
});
const counted = (more: number, ...of: Parameters<typeof facts>): QuotaRefusalsEvent => ({
  type: 'QuotaRefusalsCounted',
  data: { ...facts(...of), more, countedAt: at },
});

describe('QuotaRefusals', () => {
  const { given } = specification(QuotaRefusals);

  it('are recorded for the first of a minute', () => given().when(record(1)).then(refused(1)));
  it('are recorded once for each minute and subject', () => {
    given(refused(1)).when(record(1)).then();
    given(refused(1)).when(record(2)).then(refused(2));
    given(refused(1)).when(record(1, 'size:git:lfs')).then(refused(1, 'size:git:lfs'));
  });
  it('are counted in the minute that was recorded, and in no other', () => {
    given(refused(1), refused(2)).when(count(7, 1)).then(counted(7, 1));
    given(refused(1)).when(count(7, 2)).then();
  });
  it('of a minute long gone are nobody’s any more', () =>
    given(...[1, 2, 3, 4, 5, 6].map((minute) => refused(minute)))
      .when(record(1))
      .then());
  it('go on being recorded after the minutes that are remembered, whose oldest is forgotten first', () => {
    const minutes = [3, 4, 5, 6, 1, 7].map((minute) => refused(minute));
    given(...minutes)
      .when(record(8))
      .then(refused(8));
    given(...minutes)
      .when(count(2, 3))
      .then(counted(2, 3));
    given(...minutes)
      .when(count(2, 1))
      .then();
  });
  it('of a clock that is a little behind still count', () =>
    given(refused(2)).when(record(1)).then(refused(1)));
  it('are remembered for some minutes only', () => {
    const state = Array.from({ length: 60 }, (_, minute) => refused(minute)).reduce(
      (before, event) => QuotaRefusals.evolve(before, event),
      QuotaRefusals.initialState,
    );
    expect(state.minutes.get('size:repos:public')).to.have.length(5);
  });
});
