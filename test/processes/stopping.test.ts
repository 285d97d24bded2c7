import { expect } from 'chai';
import { request, type IncomingMessage } from 'node:http';
import { dataDir } from '../support/data-dir.js';
import { basic, clientOf } from '../support/client.js';
import { until } from '../support/process.js';
import { familyOf } from '../support/processes/family.js';
import { ADMIN, Site } from '../support/processes/site.js';

const UNDER_WAY = 8;

/** A request that is half sent, and whose answer is awaited. */
interface HalfSent {
  readonly name: string;
  /** Sends the rest, and gives the status. */
  readonly finish: () => Promise<number | undefined>;
}

describe('npm start, killed', () => {
  it('leaves nothing running, with or without a request under way', async () => {
    const site = new Site(await dataDir(), {});
    try {
      for (const isBusy of [false, true]) {
        await site.start();
        if (isBusy) await halfSent(site.address, 'under way');
        await site.kill('supervisor');
        await until(() => familyOf(site.dataDir).length === 0);
      }
    } finally {
      await site.remove();
    }
  });
});

describe('npm start, told to stop', () => {
  it('does not wait until it is killed for a client that never sends the rest', async () => {
    const site = new Site(await dataDir(), {});
    try {
      const program = site.launch();
      const [, address = ''] = await program.prints(/listens on (\S+)\n/);
      await halfSent(address, 'never finished');
      process.kill(program.pid, 'SIGTERM');
      expect(await program.ended()).to.deep.equal({ code: 0, signal: null });
      expect(program.output()).not.to.match(/did not stop in time|not stopped after/);
      expect(familyOf(site.dataDir)).to.deep.equal([]);
    } finally {
      await site.remove();
    }
  });

  for (const [what, stop] of [
    // A terminal tells all processes of its own of Ctrl-C, and npm then tells the supervisor once more.
    ['by Ctrl-C', (pid: number) => process.kill(-pid, 'SIGINT')],
    ['by SIGTERM', (pid: number) => process.kill(pid, 'SIGTERM')],
  ] as const)
    it(`${what} answers what is under way, and leaves nothing running`, async () => {
      const site = new Site(await dataDir(), { LOG_LEVEL: 'info' }, { detached: true });
      try {
        const program = site.launch();
        const [, address = ''] = await program.prints(/listens on (\S+)\n/);
        const underWay = await Promise.all(
          Array.from({ length: UNDER_WAY }, (_, index) => halfSent(address, `under way ${index}`)),
        );
        stop(program.pid);
        await program.prints(/"msg":"stopping"/);
        const statuses = await Promise.all(underWay.map(({ finish }) => finish()));
        expect(statuses).to.deep.equal(underWay.map(() => 201));
        expect(await program.ended()).to.deep.equal({ code: 0, signal: null });
        expect(program.output()).not.to.match(/did not stop in time|not stopped after|runs again/);
        expect(familyOf(site.dataDir)).to.deep.equal([]);

        await site.start();
        const { json } = await clientOf(() => site.address, ADMIN).get('/admin/quota/rules');
        const names = (json as { name: string }[]).map(({ name }) => name);
        expect(names).to.have.members(underWay.map(({ name }) => name));
      } finally {
        await site.remove();
      }
    });
});

/** Resolves once the server waits for the body. */
function halfSent(address: string, name: string): Promise<HalfSent> {
  const body = JSON.stringify({ name, limit: 1, subjects: ['size:all'] });
  const asked = request(`${address}/api/v1/admin/quota/rules`, {
    method: 'POST',
    headers: {
      Authorization: basic(ADMIN.username, ADMIN.password),
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      Expect: '100-continue',
    },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    asked.once('error', reject).once('response', (answer: IncomingMessage) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
  });
  answered.catch(() => undefined); // told by whoever finishes it
  return new Promise((resolve, reject) => {
    asked.once('error', reject);
    asked.once('continue', () => {
      asked.write(body.slice(0, 10));
      resolve({
        name,
        finish: () => {
          asked.end(body.slice(10));
          return answered;
        },
      });
    });
  });
}
