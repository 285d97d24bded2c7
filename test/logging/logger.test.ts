import { expect } from 'chai';
import { createLogger } from '../../src/logging/logger.js';

const TOKEN = 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3';
const PASSWORD = 'correct "horse"';

/** The lines that `write` makes a logger write. */
function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  let lines = '';
  write(createLogger({ name: 'test', level: 'info', destination: { write: (line) => (lines += line) } }));
  return lines;
}

describe('a log line', () => {
  const secrets: readonly (readonly [string, object | string])[] = [
    ['a field', { password: PASSWORD, token: TOKEN, sha1: TOKEN, token_hash: 7 }],
    ['a field deep inside', { a: [{ b: { newPassword: PASSWORD, webhook_secret: TOKEN } }] }],
    [
      'headers',
      { headers: { authorization: `token ${TOKEN}`, Cookie: TOKEN, 'set-cookie': [TOKEN, PASSWORD] } },
    ],
    ['a header in the text', `sent Authorization: Bearer ${TOKEN}`],
    ['a token scheme in the text', `sent token ${TOKEN}`],
    ['a query string', { url: `/api/v1/user?page=1&access_token=${TOKEN}&token=${TOKEN}` }],
    ['a connection string', { err: new Error(`cannot reach postgresql://me:${TOKEN}@host/db`) }],
  ];
  for (const [where, secret] of secrets) {
    it(`hides a secret in ${where}`, () => {
      const line = logged((log) => {
        log.info(secret);
      });
      expect(line).to.include('[hidden]').and.not.include(TOKEN).and.not.include('horse');
      expect(() => JSON.parse(line) as unknown).not.to.throw();
    });
  }

  it('leaves out the client that hangs on an error of a connection', () => {
    const line = logged((log) => {
      log.warn({ err: Object.assign(new Error('cut'), { code: '57P01', client: { secretKey: 4711 } }) });
    });
    expect(line).to.include('57P01').and.not.include('4711');
  });

  it('shows everything else', () => {
    const line = logged((log) => {
      log.info({ requestId: 'r1', commit: TOKEN, tokenId: 5 }, 'PUT /api/v1/user?page=2');
    });
    expect(JSON.parse(line)).to.include({
      requestId: 'r1',
      commit: TOKEN,
      tokenId: 5,
      msg: 'PUT /api/v1/user?page=2',
    });
  });
});
