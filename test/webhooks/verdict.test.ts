import { expect } from 'chai';
import { PAUSES_MS } from '../../src/webhooks/back-off.js';
import type { Answer } from '../../src/webhooks/post.js';
import { verdictOn } from '../../src/webhooks/verdict.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const answered = (status: number, headers = {}): Answer => ({ response: { status, headers, body: '' } });
const verdict = (answer: Answer, attempt = 1) => verdictOn(answer, attempt, NOW, () => 0);
const later = (seconds: number) => ({ status: 'pending', dueAt: new Date(NOW.getTime() + seconds * 1000) });

describe('the verdict on an attempt', () => {
  it('is delivered for any 2xx', () => {
    for (const status of [200, 201, 202, 204, 299])
      expect(verdict(answered(status))).deep.equals({ status: 'delivered' });
  });

  it('is failed for what the next attempt would meet again', () => {
    for (const status of [300, 302, 307, 400, 401, 404, 410, 422])
      expect(verdict(answered(status)), String(status)).deep.equals({ status: 'failed' });
    expect(verdict({ error: 'refused', lasting: true })).deep.equals({ status: 'failed' });
  });

  it('is to try again for no answer, 408, 429 and 5xx', () => {
    for (const status of [408, 429, 500, 502, 503, 599])
      expect(verdict(answered(status)), String(status)).deep.equals(later(5));
    expect(verdict({ error: 'no route', lasting: false }, 2)).deep.equals(later(30));
  });

  it('heeds Retry-After', () => {
    expect(verdict(answered(429, { 'retry-after': '90' }))).deep.equals(later(90));
  });

  it('is failed after the last attempt', () => {
    expect(verdict(answered(500), PAUSES_MS.length + 1)).deep.equals({ status: 'failed' });
  });
});
