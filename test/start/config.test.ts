import { expect } from 'chai';
import { constants } from 'node:buffer';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '../../src/config.js';
import { withoutSecrets } from '../../src/logging/redaction.js';
import { runProgram } from '../support/process.js';

const problemsOf = (env: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe('the configuration', () => {
  it('needs nothing', () => {
    const config = readConfig({});
    expect(config).to.include({
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://127.0.0.1:3000',
      logLevel: 'info',
    });
    expect(config.quota).to.deep.equal({ enabled: true, defaultTotal: -1n, defaultGroups: [] });
    expect(config.administrator).to.deep.equal({
      username: 'root',
      password: undefined,
      email: 'root@localhost',
    });
    expect(config.databaseUrl).to.equal(undefined);
  });

  it('takes an empty variable as one that is not set', () =>
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).to.include({ port: 3000, databaseUrl: undefined }));

  it('lists every problem at once, and no value', () => {
    const env = {
      PORT: '65536',
      BASE_URL: 'ftp://example.org',
      DATA_DIR: '/srv/a\nb',
      DATABASE_URL: 'mysql://me:hunter2@host/db',
      DATABASE_REPLICA_URL: 'replica.example.org',
      EVENTSTORE_URL: 'localhost',
      ADMIN_USERNAME: 'a..b',
      ADMIN_PASSWORD: 'hunter2',
      ADMIN_EMAIL: 'nobody',
      QUOTA_ENABLED: 'perhaps',
      QUOTA_DEFAULT_TOTAL: '2X',
      VAULT_KEY: 'hunter2',
      PASSWORD_MIN_LENGTH: '0',
      PASSWORD_COMPLEXITY: 'lower,emoji',
      MAX_BODY_SIZE: '2GiB',
      MAX_MARKDOWN_SIZE: '1TB',
      PAGE_DEFAULT_LIMIT: '51',
      CORS_ORIGIN: 'https://example.org/path',
      TRUSTED_PROXIES: '10.0.0.0/8, proxy.example.org',
      LOG_LEVEL: 'loud',
    };
    const problems = problemsOf({ ...env, PASSWORD_MIN_LENGTH: '' });
    const named = problems.map((problem) => problem.split(' ')[0]);
    expect(named).to.have.members(Object.keys(env).filter((name) => name !== 'PASSWORD_MIN_LENGTH'));
    expect(problems.join()).not.to.include('hunter2');
    expect(problemsOf(env).join()).to.include('PASSWORD_MIN_LENGTH must be an integer from 1 to 255');
  });

  for (const lineBreak of ['\n', '\r', '\r\n'])
    it(`refuses ${JSON.stringify(lineBreak)} in DATA_DIR, which git takes for the end of a path`, () =>
      expect(problemsOf({ DATA_DIR: `/srv/a${lineBreak}b` })).to.deep.equal([
        'DATA_DIR must have no line break',
      ]));

  for (const limit of ['many', '-5', '0', '1001']) {
    it(`says of ${limit} rows in a page only that it is no number of them`, () => {
      for (const name of ['PAGE_DEFAULT_LIMIT', 'PAGE_MAX_LIMIT'])
        expect(problemsOf({ [name]: limit })).to.deep.equal([`${name} must be an integer from 1 to 1000`]);
    });
  }

  for (const name of ['admin', 'Ghost', 'team.png', 'x'.repeat(41)]) {
    it(`refuses an administrator ${name}, whom no account could be called`, () =>
      expect(problemsOf({ ADMIN_USERNAME: name })).to.have.lengthOf(1));
  }

  it('counts the characters of a password, however many code units they take', () => {
    expect(problemsOf({ ADMIN_PASSWORD: '🐴'.repeat(255) })).to.deep.equal([]);
    expect(problemsOf({ ADMIN_PASSWORD: '🐴'.repeat(256) })).to.deep.equal([
      'ADMIN_PASSWORD must have 255 characters at most',
    ]);
  });

  const sizes: readonly (readonly [string, bigint])[] = [
    ['-1', -1n],
    ['0', 0n],
    ['9223372036854775807', 9223372036854775807n],
    ['2G', 2_000_000_000n],
    ['3GiB', 3n * 1024n ** 3n],
    ['5 kb', 5000n],
  ];
  for (const [text, bytes] of sizes) {
    it(`reads a total of ${text} as ${bytes} bytes`, () =>
      expect(readConfig({ QUOTA_DEFAULT_TOTAL: text }).quota.defaultTotal).to.equal(bytes));
  }
  for (const text of ['9223372036854775808', '-2', '1.5G', '3iB', 'many']) {
    it(`refuses a total of ${text}`, () =>
      expect(problemsOf({ QUOTA_DEFAULT_TOTAL: text })).to.have.lengthOf(1));
  }

  it('takes a largest body that can be read as one string', () =>
    expect(readConfig({ MAX_BODY_SIZE: '511MiB' }).maxBodyBytes).to.be.below(constants.MAX_STRING_LENGTH));
  for (const size of ['0', '1023', '512MiB'])
    it(`refuses ${size} for the largest body`, () =>
      expect(problemsOf({ MAX_BODY_SIZE: size })).to.have.lengthOf(1));

  it('shows what an address of the event store looks like in words that are no secret', () =>
    expect(withoutSecrets(problemsOf({ EVENTSTORE_URL: 'x' }).join())).to.include('esdb://node1:2113,node2'));

  for (const url of [
    'esdb://localhost:2113?tls=false',
    'esdb+discover://cluster.example.org',
    'esdb://node1:2113?node_preference=Read-Only-Replica&keepAliveInterval=-1&tlsVerifyCert=true',
    'esdb://admin:p%C3%A9%3A%25@node1:2113',
    'esdb://admin:wh?t#er@node1:2113',
    'esdb://admin:wh?t@node1:65535?tls=true&connectionName=me@here',
    'esdb://node1?connectionName=me%40here',
    `esdb://admin:changeit@node1:2113,node2:2113,node3:2113?tls=true&tlsCaFile=${fileURLToPath(import.meta.url)}`,
  ]) {
    it(`takes ${url} for the event store`, () =>
      expect(readConfig({ EVENTSTORE_URL: url }).eventStoreUrl).to.equal(url));
  }
  for (const url of [
    'esdb://',
    'esdb://node1:many',
    'esdb://node1 node2',
    'http://localhost:2113',
    'esdb://admin:change:it@node1',
    'esdb://node1,',
    'esdb://my+node',
    'esdb://admin:changeit@node=1:2113',
    'esdb://node*',
  ]) {
    it(`refuses ${url} for the event store`, () =>
      expect(problemsOf({ EVENTSTORE_URL: url })).to.have.lengthOf(1));
  }

  for (const [url, flaw] of [
    [
      'esdb://admin:p%e9@node1',
      'has a % before its nodes that begins no character of UTF-8: write it as %25',
    ],
    [
      'esdb://admin:100%@node1',
      'has a % before its nodes that begins no character of UTF-8: write it as %25',
    ],
    ...['esdb://node1:0', 'esdb://node1:2113,node2:65536'].map(
      (url) => [url, 'has a port that is not from 1 to 65535'] as const,
    ),
    ...[
      'esdb://node1:2113?connectionName=me@here',
      'esdb://node1:2113?tls=false&connection-name=me@here',
      'esdb://node1?tls=false&connectionName=a:b@here',
    ].map(
      (url) =>
        [
          url,
          'has an @ among its options, before which its client takes all for a password: write it as %40',
        ] as const,
    ),
    ['esdb://node1?tls', 'has options that are not written ?key=value&key=value'],
    ['esdb://node1?tls=', 'has options that are not written ?key=value&key=value'],
    ['esdb://node1?tls=maybe', 'has the option tls, which must be true or false'],
    [
      'esdb://node1?connectionName=%ff',
      'has the option connectionName, which has a % that begins no character of UTF-8',
    ],
    ['esdb://node1?defaultDeadline=0', 'has the option defaultDeadline, which must be a whole number from 1'],
    [
      'esdb://node1?keepAliveTimeout=1s',
      'has the option keepAliveTimeout, which must be a whole number from 1 to 2000000000',
    ],
    [
      'esdb://node1?keep_alive_timeout=-1',
      'has the option keep_alive_timeout, which must be a whole number from 1 to 2000000000',
    ],
    [
      'esdb://node1?keepAliveInterval=2147483648',
      'has the option keepAliveInterval, which must be a whole number from 1 to 2000000000',
    ],
    [
      'esdb://node1?nodePreference=any',
      'has the option nodePreference, which must be leader, follower, read_only_replica or random',
    ],
    [
      'esdb://node1?tls=true&tlscafile=/nowhere/ca.crt',
      'has the option tlscafile, which names a file that cannot be read',
    ],
    ['esdb://node1?tlsCAFile=/tmp', 'has the option tlsCAFile, which names a file that cannot be read'],
    [
      `esdb://node1?userCertFile=${fileURLToPath(import.meta.url)}`,
      'has one of the options userCertFile and userKeyFile without the other',
    ],
    [
      `esdb://node1?userKeyFile=${fileURLToPath(import.meta.url)}&userCertFile=${fileURLToPath(import.meta.url)}`,
      'has the options userCertFile and userKeyFile, which name no certificate and its key',
    ],
    ['esdb://me:hunter2@node1?retries=3', 'has the option retries, which its client does not know'],
    [
      'esdb://me:hunter2@node1?tlsVerifyCert=false',
      'has the option tlsVerifyCert, which has no effect: name the authority by tlsCAFile',
    ],
  ] as const)
    it(`refuses ${url} for the event store, and says why`, () =>
      expect(problemsOf({ EVENTSTORE_URL: url })).to.deep.equal([`EVENTSTORE_URL ${flaw}`]));

  for (const [url, flaw] of [
    ['postgresql://me:p%e9hunter2@host/db', 'has a % that begins no character of UTF-8: write it as %25'],
    ['postgresql://host/d%ffb', 'has a % that begins no character of UTF-8: write it as %25'],
    [
      'postgresql://me:hunter2@host/db?sslrootcert=/nowhere/ca.crt',
      'names /nowhere/ca.crt, which cannot be read',
    ],
  ] as const)
    it(`refuses ${url} for PostgreSQL, and says why`, () => {
      const problems = problemsOf({ DATABASE_URL: url, DATABASE_REPLICA_URL: url });
      expect(problems).to.deep.equal([`DATABASE_URL ${flaw}`, `DATABASE_REPLICA_URL ${flaw}`]);
    });

  for (const url of [
    'postgresql://me:100%@host/db',
    'postgresql://me:p%C3%A9@/db?host=/run/postgresql',
    `postgresql://host/db?sslmode=verify-full&sslrootcert=${fileURLToPath(import.meta.url)}`,
  ])
    it(`takes ${url} for PostgreSQL`, () =>
      expect(readConfig({ DATABASE_URL: url }).databaseUrl).to.equal(url));

  for (const host of ['::1', '0.0.0.0', 'localhost', 'forge.example.org'])
    it(`takes ${host} for the host`, () => expect(readConfig({ HOST: host }).host).to.equal(host));
  for (const host of ['999.1.1.1', 'a b', 'a/b', 'user@host', 'host?'])
    it(`refuses ${host} for the host, in whose place nothing can be addressed`, () => {
      for (const env of [{}, { BASE_URL: 'https://example.org' }])
        expect(problemsOf({ HOST: host, ...env }).join()).to.match(/^HOST /);
    });
  it('takes the address of a link for the host where BASE_URL is given', () => {
    expect(problemsOf({ HOST: 'fe80::1%eth0', BASE_URL: 'https://example.org' })).to.be.empty;
    expect(problemsOf({ HOST: 'fe80::1%eth0' })).to.have.lengthOf(1);
  });

  for (const base of ['https://example.org/forge/', 'https://example.org/a/b//', 'http://[::1]:3000'])
    it(`takes ${base} for the addresses in answers`, () =>
      expect(problemsOf({ BASE_URL: base })).to.be.empty);
  it('has addresses in answers begin in ASCII, because headers take no more', () => {
    const { baseUrl } = readConfig({ BASE_URL: 'https://例え.example/リポ/' });
    expect(baseUrl).to.equal('https://xn--r8jz45g.example/%E3%83%AA%E3%83%9D');
  });
  for (const base of [
    'https://',
    'https://a b',
    'https://a/?b',
    'https://a/#b',
    'https://u:p@a',
    'https://a ',
    'https://a//b',
    'https://a/b//c',
  ])
    it(`refuses ${base} for the addresses in answers, behind which nothing can be put`, () =>
      expect(problemsOf({ BASE_URL: base })).to.have.lengthOf(1));

  it('takes the kinds of characters that a password must have, and holds the administrator to them', () => {
    const complexity = (env: NodeJS.ProcessEnv) => readConfig(env).passwordRules.complexity;
    expect(complexity({})).to.deep.equal([]);
    expect(complexity({ PASSWORD_COMPLEXITY: 'off' })).to.deep.equal([]);
    const PASSWORD_COMPLEXITY = 'lower, digit';
    const ADMIN_PASSWORD = 'abcdefg7';
    expect(complexity({ PASSWORD_COMPLEXITY, ADMIN_PASSWORD })).to.deep.equal(['lower', 'digit']);
    expect(problemsOf({ PASSWORD_COMPLEXITY, ADMIN_PASSWORD: 'abcdefgh' })).to.deep.equal([
      'ADMIN_PASSWORD must have a character of each kind that PASSWORD_COMPLEXITY names',
    ]);
    for (const kinds of ['off,lower', 'Lower', 'constructor'])
      expect(problemsOf({ PASSWORD_COMPLEXITY: kinds }), kinds).to.have.lengthOf(1);
  });

  it('takes a replica of a database that is named, not of the embedded one', () => {
    const replica = { DATABASE_REPLICA_URL: 'postgresql://replica/tallyforge' };
    expect(readConfig({ ...replica, DATABASE_URL: 'postgresql://primary/tallyforge' })).to.include({
      databaseReplicaUrl: replica.DATABASE_REPLICA_URL,
    });
    expect(problemsOf(replica)).to.deep.equal([
      'DATABASE_REPLICA_URL needs DATABASE_URL: the embedded PostgreSQL has no replica',
    ]);
  });

  it('takes the key of the vault in hexadecimal and in base64', () => {
    const key = Buffer.alloc(32, 7);
    expect(readConfig({ VAULT_KEY: key.toString('hex') }).vaultKey).to.deep.equal(key);
    expect(readConfig({ VAULT_KEY: key.toString('base64') }).vaultKey).to.deep.equal(key);
  });

  it('ends the start with status 78 before anything opens', async () => {
    const start = runProgram('src/start/main.js', [], {
      PORT: 'http',
      LOG_LEVEL: 'loud',
      DATA_DIR: '/proc/none',
    });
    expect(await start.ended()).to.deep.equal({ code: 78, signal: null });
    expect(start.output()).to.match(/^ +PORT must be .*\n +LOG_LEVEL must be /m);
  });
});
