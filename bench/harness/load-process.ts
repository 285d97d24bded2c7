/** The load generator: takes a `Load` at a time from the process that forked it, answers `Served`, ends with it. */
import autocannon from 'autocannon';
import type { Load, Served } from './load.js';

process.on('message', (load: Load) => {
  void serve(load).then((served) => process.send?.(served));
});
process.on('disconnect', () => process.exit());

async function serve({ url, headers = {}, clients, length }: Load): Promise<Served> {
  let next = 0;
  const result = await autocannon({
    url,
    connections: clients.length,
    ...('seconds' in length ? { duration: length.seconds } : { amount: length.requests }),
    sampleInt: 100,
    setupClient(client) {
      const requests = clients[next++ % clients.length] ?? [];
      client.setRequests(requests.map((request) => ({ ...request, headers })));
    },
  });
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    failures: result.non2xx + result.errors + result.timeouts,
  };
}
