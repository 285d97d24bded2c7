import { promisify } from 'node:util';
import { Server, ServerCredentials, type handleUnaryCall, type ServiceError } from '@grpc/grpc-js';
import { batchAppend, singleAppend } from './appends.js';
import { softDelete, tombstone } from './deletions.js';
import { Faults, Traffic } from './faults.js';
import { gossipOf } from './gossip.js';
import { StubLog, systemEvent } from './log.js';
import { StubNetwork } from './network.js';
import type { StubNode } from './node.js';
import { features, GossipService, ServerFeaturesService, type shared, StreamsService } from './protocol.js';
import { read } from './reads.js';

type Empty = InstanceType<typeof shared.Empty>;
type SupportedMethods = InstanceType<typeof features.SupportedMethods>;

/**
 * A single-node EventStoreDB as clients see it, in this process: the streams service of the client's own protocol
 * over a log in memory, with the behaviour that was observed of server 23.10. `faults` and `network` break it.
 */
export interface EventStoreDbStub {
  readonly url: string;
  /** The same server as a cluster, of which clients ask for the leader before they connect. */
  readonly clusterUrl: string;
  readonly port: number;
  readonly log: StubLog;
  readonly faults: Faults;
  readonly traffic: Traffic;
  readonly network: StubNetwork;
  /** The subscriptions that are open now. */
  readonly subscriptions: { readonly size: number };
  /** Ends every open subscription: with the error, or without one as if it were complete. */
  dropSubscriptions(error?: ServiceError): void;
  /** Resets every connection and refuses new ones, until `restart`, on the same port with the same log. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface StubOptions {
  /** The log's clock. */
  readonly clock?: () => Date;
  /** The log of another node of the same cluster. */
  readonly log?: StubLog;
  /** 1,048,576 bytes by default, as the server's. */
  readonly maxAppendSize?: number;
  /** Whether live readers that too much waits for catch up again, as from server 24.2 on; they are dropped by default. */
  readonly catchesUpAgain?: boolean;
}

export async function startEventStoreDbStub(options: StubOptions = {}): Promise<EventStoreDbStub> {
  const node: StubNode = {
    log: options.log ?? newLog(options.clock ?? (() => new Date())),
    faults: new Faults(),
    traffic: new Traffic(),
    subscriptions: new Set(),
    maxAppendSize: options.maxAppendSize ?? 1_048_576,
    catchesUpAgain: options.catchesUpAgain ?? false,
  };
  const server = new Server();
  server.addService(StreamsService, {
    append: singleAppend(node),
    batchAppend: batchAppend(node),
    read: read(node),
    delete: softDelete(node),
    tombstone: tombstone(node),
  });
  server.addService(ServerFeaturesService, { getSupportedMethods });
  server.addService(GossipService, { read: gossipOf(() => network.port) });
  const bind = promisify(server.bindAsync.bind(server));
  const network = new StubNetwork(await bind('127.0.0.1:0', ServerCredentials.createInsecure()));
  await network.open();
  return {
    url: `esdb://127.0.0.1:${network.port}?tls=false`,
    clusterUrl: `esdb://127.0.0.1:${network.port},localhost:${network.port}?tls=false`,
    port: network.port,
    log: node.log,
    faults: node.faults,
    traffic: node.traffic,
    network,
    subscriptions: node.subscriptions,
    dropSubscriptions(error) {
      for (const call of node.subscriptions) {
        if (error) call.emit('error', error);
        else call.end();
      }
    },
    kill: () => network.close(),
    restart: () => network.open(),
    async stop() {
      await network.close();
      server.forceShutdown();
    },
  };
}

// A new server's log is not empty: it has written about itself.
function newLog(clock: () => Date): StubLog {
  const log = new StubLog(clock);
  log.append('$settings', 'noStream', [systemEvent('update')]);
  log.append('$stats-127.0.0.1:2113', 'noStream', [systemEvent('$statsCollected')]);
  return log;
}

const getSupportedMethods: handleUnaryCall<Empty, SupportedMethods> = (_call, answer) => {
  const methods = new features.SupportedMethods().setEventStoreServerVersion('23.10.6');
  for (const name of ['read', 'append', 'batchappend']) {
    methods.addMethods(
      new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
    );
  }
  answer(null, methods);
};
