import { expect } from 'chai';
import { openClient } from '../../../src/event-store/eventstoredb/client.js';
import {
  flawOfEventStoreUrl,
  optionsOf,
  withOptions,
} from '../../../src/event-store/eventstoredb/connection-string.js';

describe('a connection string of EventStoreDB', () => {
  for (const url of [
    'esdb://node1',
    'esdb://node1:2113/',
    'esdb+discover://admin:changeit@cluster.example.org?tls=false',
    'esdb://admin:wh?t#er@node1:2113,node2',
    'esdb://admin:wh?t@node1?connectionName=me@here',
    'esdb://admin:wh%3At@node1/?connectionName=a%26b',
  ])
    it(`is read by the client as it was checked: ${url}`, () => {
      expect(flawOfEventStoreUrl(url)).to.equal(undefined);
      expect(() => openClient(url)).not.to.throw();
    });

  it('takes more options behind its own, if it has some', () => {
    expect(withOptions('esdb://admin:wh?t@node1', ['tls=false'])).to.equal(
      'esdb://admin:wh?t@node1?tls=false',
    );
    const more = withOptions('esdb://node1?tls=true&node_preference=random', [
      'tls=false',
      'gossipTimeout=3',
    ]);
    expect(Object.fromEntries(optionsOf(more))).to.deep.equal({
      ...{ tls: 'false', nodepreference: 'random', gossiptimeout: '3' },
    });
  });
});
