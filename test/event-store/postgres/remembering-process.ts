// A process of the product, which knows what it has appended, and appends whenever it is told to.
import { readServiceConfig } from '../../../src/start/service-config.js';
import { connect } from '../../../src/connections.js';
import { newStream, sample } from '../contract/samples.js';

const { store } = await connect(await readServiceConfig(process.env), {
  applicationName: 'tallyforge-test',
  onError: () => undefined,
});
const append = async () => {
  await store.append(newStream(), 'noStream', [sample()]);
  process.send?.('appended');
};
process.on('message', () => void append());
await append();
