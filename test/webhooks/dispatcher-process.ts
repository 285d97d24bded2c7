/** A dispatcher in a process of its own, whose clock runs fast, but not to where it gives up what was not sent; ends with whoever started it. */
import type { HookTarget } from '../../src/webhooks/planned.js';
import { dispatcherOf, Things } from './things.js';

const FURTHEST_AHEAD_MS = 11 * 3_600_000;

process.on('disconnect', () => process.exit(0));
const [url = '', targets = '{}', base = '', speed = '1'] = process.argv.slice(2);
process.send?.('ready');
await dispatcherOf(
  {
    url,
    targets: JSON.parse(targets) as Record<number, HookTarget>,
    now: () => {
      const now = Date.now();
      return new Date(Math.min(Number(base) + (now - Number(base)) * Number(speed), now + FURTHEST_AHEAD_MS));
    },
  },
  new Things(url).log,
).run(new AbortController().signal);
