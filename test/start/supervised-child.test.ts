import { expect } from 'chai';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '../../src/logging/logger.js';
import { SupervisedChild } from '../../src/start/supervised-child.js';
import { dataDir } from '../support/data-dir.js';
import { rejection } from '../support/rejection.js';

describe('a supervised child', () => {
  const { execPath } = process;
  afterEach(() => {
    process.execPath = execPath;
  });

  const log = createLogger({ name: 'test', level: 'silent' });

  it('is given up where it is killed time and again before it is ready', async () => {
    const folder = await dataDir();
    const entry = join(folder.path, 'killed.mjs');
    await writeFile(entry, "process.kill(process.pid, 'SIGKILL');");
    const child = new SupervisedChild({ name: 'api', entry }, {}, 2, log);
    const refused = await rejection(child.start());
    await folder.remove();
    expect(refused).to.have.property(
      'message',
      'api did not start (killed 6 times, as where memory is short)',
    );
  });

  it('counts as one that ended where the system refuses to start it', async () => {
    process.execPath = '/dev/null/node';
    const child = new SupervisedChild({ name: 'api', entry: '/dev/null/main.js' }, {}, 2, log);
    const refused = await rejection(child.start());
    expect(refused).to.have.property('message', 'api did not start (status 1)');
  });
});
