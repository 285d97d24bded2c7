import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createLogger } from '../../src/logging/logger.js';

const TOKEN = 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3';
const PASSWORD = 'correct "horse"';

/** The lines that `write` makes a logger write. */
function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  let lines = '';
  write(createLogger({ name: 'test', level: 'info', destination: { write: (line) => (lines += line) } }));
  return lines;
}

const SAYS_HELLO = `
  const { createLogger } = await import('${new URL('../../src/logging/logger.js', import.meta.url).href}');
  createLogger({ name: 'test', level: 'info' }).info({ requestId: 'r1' }, 'hello');`;

/** What a program prints that logs to its standard output: a terminal, or a pipe. */
async function printed(where: 'terminal' | 'pipe'): Promise<string> {
  const node = [process.execPath, '--input-type=module', '-e', SAYS_HELLO];
  const quoted = node.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const [program = '', ...args] =
    where === 'pipe' ? node : ['script', '--quiet', '--return', '--command', quoted, '/dev/null'];
  return (await promisify(execFile)(program, args)).stdout;
}

describe('a log line', () => {
  it('is for people on a terminal, and JSON elsewhere', async () => {
    const forPeople = await printed('terminal');
    expect(forPeople)
      .to.match(/INFO.*hello/)
      .and.include('requestId')
      .and.not.include('"msg"');
    expect(JSON.parse(await printed('pipe'))).to.include({ level: 30, msg: 'hello', requestId: 'r1' });
  });

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
    ['the rest of a password with an @', { err: new Error(`at postgresql://me:an@${TOKEN}@host/db`) }],
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
