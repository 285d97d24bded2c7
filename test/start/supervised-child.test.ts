import { expect } from 'chai';
import { createLogger } from '../../src/logging/logger.js';
import { SupervisedChild } from '../../src/start/supervised-child.js';
import { rejection } from '../support/rejection.js';

describe('a supervised child', () => {
  const { execPath } = process;
  afterEach(() => {
    process.execPath = execPath;
  });

  it('counts as one that ended where the system refuses to start it', async () => {
    process.execPath = '/dev/null/node';
    const log = createLogger({ name: 'test', level: 'silent' });
    const child = new SupervisedChild({ name: 'api', entry: '/dev/null/main.js' }, {}, 2, log);
    const refused = await rejection(child.start());
    expect(refused).to.have.property('message', 'api did not start (status 1)');
  });
});
