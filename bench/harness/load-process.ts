/** The load generator: takes a `Load` at a time from the process that forked it, answers `Served`, ends with it. */
import { createHistogram } from 'node:perf_hooks';
import autocannon from 'autocannon';
import type { Load, Served } from './load.js';

process.on('message', (load: Load) => {
  void serve(load).then((served) => process.send?.(served));
});
process.on('disconnect', () => process.exit());

const MICROSECONDS = 1000;

async function serve({ url, headers = {}, clients, length }: Load): Promise<Served> {
  let next = 0;
  const times = createHistogram();
  const startedAt = performance.now();
  let answeredAt = startedAt;
  const result = await autocannon({
    url,
    connections: clients.length,
    ...('seconds' in length ? { duration: length.seconds } : { amount: length.requests }),
    sampleInt: 100,
    setupClient(client) {
      const requests = clients[next++ % clients.length] ?? [];
      client.setRequests(
        requests.map(({ method, path, body, headers: own }) => ({
          method,
          path,
          headers: { ...headers, ...own, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        })),
      );
      client.on('response', (_status, _bytes, milliseconds) => {
        answeredAt = performance.now(); // autocannon itself goes on until its next sample
        times.record(Math.max(1, Math.round(milliseconds * MICROSECONDS)));
      });
    },
  });
  return {
    requestsPerSecond: result['2xx'] / ((answeredAt - startedAt) / 1000),
    p99: times.percentile(99) / MICROSECONDS,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}
