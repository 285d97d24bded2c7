import { setTimeout as sleep } from 'node:timers/promises';
import { v4 } from 'uuid';
import { CommandHandler } from '../src/commands/handle.js';
import { Issue } from '../src/domain/issues/issue.js';
import { issueKey } from '../src/domain/issues/place.js';
import { API, startProduct } from './harness/product.js';
import type { Bench, Question } from './harness/question.js';
import { startReceiver } from './harness/receiver.js';
import { figure } from './harness/report.js';
import { median } from './harness/rounds.js';
import { openLog } from './harness/sample-log.js';

const EVENTS_A_SECOND = 100;
const P50_MS = 50;
/** The number of webhooks; each gets every event, in order. */
const HOOKS = 4;
const DELIVERIES_A_SECOND = 250;

/** Measures the time from the append of an event to the request that reports it. */
export const hooks: Question = {
  name: 'hooks',
  about: 'webhooks: from event to request, and deliveries a second',
  async answer(bench) {
    const url = await bench.database();
    const product = await startProduct(bench, url, { dispatcher: true });
    const receiver = await startReceiver(bench);
    const repository = (await product.send('POST', `${API}/user/repos`, { name: 'told' })) as { id: number };
    const addHook = async (count: number) => {
      for (let hook = 0; hook < count; hook++)
        await product.send('POST', `${API}/repos/${product.user.username}/told/hooks`, {
          type: 'forgejo',
          active: true,
          events: ['issues'],
          config: { url: receiver.url, content_type: 'json' },
        });
    };
    const open = openIssues(bench, url, repository.id);

    await addHook(1);
    await open();
    await receiver.arrivals(1); // warm-up: connections are opened and code is compiled
    const count = EVENTS_A_SECOND * (bench.quick ? 2 : 20);
    const appended = new Map<number, number>();
    const pending: Promise<unknown>[] = [];
    const startedAt = performance.now();
    for (let event = 0; event < count; event++) {
      const due = startedAt + (event * 1000) / EVENTS_A_SECOND;
      await sleep(Math.max(0, due - performance.now()));
      pending.push(open().then((issueId) => appended.set(issueId, Date.now())));
    }
    await Promise.all(pending);
    const arrivals = await receiver.arrivals(count);
    const delays = arrivals.map(({ issueId, at }) => at - (appended.get(issueId) ?? at));

    await addHook(HOOKS - 1);
    const burst = bench.quick ? 200 : 1_000;
    const burstAt = Date.now();
    await Promise.all(Array.from({ length: burst }, () => open()));
    const delivered = await receiver.arrivals(burst * HOOKS);
    const seconds = (Math.max(...delivered.map(({ at }) => at)) - burstAt) / 1000;
    return [
      {
        what: 'event to request, p50',
        value: median(delays),
        unit: 'ms',
        atMost: P50_MS,
        detail: `${figure(count)} events, ${EVENTS_A_SECOND} a second`,
      },
      {
        what: 'deliveries',
        value: (burst * HOOKS) / seconds,
        unit: 'deliveries/s',
        atLeast: DELIVERIES_A_SECOND,
        detail: `${figure(burst)} events at once, ${HOOKS} hooks`,
      },
    ];
  },
};

/** Returns a function that opens an issue directly in the log, because the api is not measured here, and returns its id. */
function openIssues(bench: Bench, url: string, repositoryId: number): () => Promise<number> {
  const commands = new CommandHandler({ log: openLog(bench, url) });
  let number = 0;
  return async () => {
    const issueId = ++number;
    const at = new Date().toISOString();
    const facts = {
      title: `issue ${issueId}`,
      body: '',
      ref: '',
      assigneeIds: [],
      milestoneId: null,
      dueAt: null,
    };
    const data = { issueId, posterId: 1, facts, labelIds: [], scopes: {}, isClosed: false, at };
    const key = issueKey(repositoryId, issueId);
    await commands.handle(Issue, key, { type: 'OpenIssue', data }, { commandId: v4(), at });
    return issueId;
  };
}
