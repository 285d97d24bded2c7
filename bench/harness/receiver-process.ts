/** Receives webhooks; the parent process sends a number, and gets as many arrivals. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Arrival } from './receiver.js';

let arrivals: Arrival[] = [];
let wanted = Infinity;

const server = createServer((request, response) => {
  const at = Date.now();
  void json(request).then((payload) => {
    const { issue } = payload as { readonly issue: { readonly id: number } };
    arrivals.push({ issueId: issue.id, at });
    response.writeHead(204).end();
    answer();
  });
});

process.on('message', (count: number) => {
  wanted = count;
  answer();
});
process.on('disconnect', () => process.exit());

function answer(): void {
  if (arrivals.length < wanted) return;
  process.send?.(arrivals);
  arrivals = [];
  wanted = Infinity;
}

server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.((server.address() as AddressInfo).port);
