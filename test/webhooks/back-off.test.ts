import { expect } from 'chai';
import { pauseAfter, PAUSES_MS, retryAfterMs } from '../../src/webhooks/back-off.js';

const HOUR = 3_600_000;

describe('the back-off of deliveries', () => {
  it('waits longer after each attempt, twelve hours in all', () => {
    expect(PAUSES_MS).deep.equals([...PAUSES_MS].sort((left, right) => left - right));
    const total = PAUSES_MS.reduce((sum, pause) => sum + pause);
    expect(total / HOUR).within(11.5, 12);
  });

  it('ends after the last pause', () => {
    expect(pauseAfter(PAUSES_MS.length)).a('number');
    expect(pauseAfter(PAUSES_MS.length + 1)).equals(undefined);
  });

  it('spreads what failed together', () => {
    const [least, most] = [() => 0, () => 0.999].map((random) => pauseAfter(2, 0, random));
    expect(least).equals(30_000);
    expect(most).within(32_900, 33_000);
  });

  it('gives a receiver the time that it asks for, up to four hours', () => {
    const none = () => 0;
    expect(pauseAfter(1, 60_000, none)).equals(60_000);
    expect(pauseAfter(3, 60_000, none)).equals(120_000);
    expect(pauseAfter(1, 1_000 * HOUR, none)).equals(4 * HOUR);
  });

  it('reads Retry-After as seconds or as a date', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    expect(retryAfterMs('120', now)).equals(120_000);
    expect(retryAfterMs('Thu, 01 Jan 2026 00:01:00 GMT', now)).equals(60_000);
    for (const nothing of [undefined, '', 'soon', '-5', 'Wed, 31 Dec 2025 23:00:00 GMT'])
      expect(retryAfterMs(nothing, now), nothing).equals(0);
  });
});
