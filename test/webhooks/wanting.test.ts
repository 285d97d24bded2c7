import { expect } from 'chai';
import { Turns } from '../../src/concurrency/turns.js';
import type { HookRow } from '../../src/queries/hooks/hooks.js';
import type { Occasion } from '../../src/webhooks/payloads/occasion.js';
import { wanting } from '../../src/webhooks/payloads/wanting.js';

describe('the hooks that are told', () => {
  it('are asked in turns, however many they are and however slow their filters', async () => {
    const hook: Partial<HookRow> = { scope: 'repository', events: ['push'], branch_filter: '' };
    const slow = Array.from({ length: 500 }, (_, index) => `*${'{a,}'.repeat(60)}${index}`);
    const hooks = slow.map((filter) => ({ ...hook, branch_filter: filter }) as HookRow);
    const branch = `${'a'.repeat(980)}7`;
    let others = 0;
    const other = setInterval(() => (others += 1), 0);
    try {
      const wanted = await wanting(hooks, { eventType: 'push', branch } as Occasion, new Turns());
      expect(wanted).to.deep.equal([hooks[7]]);
    } finally {
      clearInterval(other);
    }
    expect(others).to.be.above(2);
  });
});
