/** A dispatcher in a process of its own, whose clock runs fast; ends with whoever started it. */
import type { HookTarget } from '../../src/webhooks/planned.js';
import { dispatcherOf, Things } from './things.js';

process.on('disconnect', () => process.exit(0));
const [url = '', targets = '{}', base = '', speed = '1'] = process.argv.slice(2);
process.send?.('ready');
await dispatcherOf(
  {
    url,
    targets: JSON.parse(targets) as Record<number, HookTarget>,
    now: () => new Date(Number(base) + (Date.now() - Number(base)) * Number(speed)),
  },
  new Things(url).log,
).run(new AbortController().signal);
