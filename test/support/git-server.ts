import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../../src/git/program/starter/starter.js';
import { output } from './programs.js';

const GIT_ENV = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
const COMMITTER = 'A <a@example.org> 1704164645 +0000';

/** Repositories on loopback: `git http-backend` behind node's HTTP server. */
export interface ServedFolder {
  readonly url: string;
  /** What was asked of it so far: method, path and query, and the credentials. */
  readonly requests: readonly { readonly line: string; readonly authorization: string | undefined }[];
  /** Looks at requests first; true where it took one over. */
  intercept(listener: (request: IncomingMessage, response: ServerResponse) => boolean): void;
  stop(): Promise<void>;
}

/** A git server of somebody else, with a folder of its own. */
export interface GitServer extends ServedFolder {
  /** Runs git in a repository of it, which is made where it is missing. */
  git(repository: string, ...args: string[]): Promise<string>;
  /** Adds a commit with one file to a branch; gives its hash. */
  commit(repository: string, branch: string, file: string, content: string | Buffer): Promise<string>;
  /** Has a repository know nothing of what came before a commit, as a shallow clone. */
  cutOff(repository: string, commit: string): Promise<void>;
  /** Asks for these from now on. */
  protect(username: string, password: string): void;
}

/** Serves the repositories in a folder. */
export async function serveFolder(folder: string): Promise<ServedFolder> {
  const requests: { line: string; authorization: string | undefined }[] = [];
  let intercepted: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  const { url, close } = await serve((request, response) => {
    const { method = '', url: target = '', headers } = request;
    requests.push({ line: `${method} ${target}`, authorization: headers.authorization });
    if (!intercepted(request, response)) void backend(folder, request, response);
  });
  return {
    url,
    requests,
    intercept(listener) {
      intercepted = listener;
    },
    stop: close,
  };
}

export async function startGitServer(): Promise<GitServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tallyforge-git-server-'));
  const served = await serveFolder(folder);
  let authorization: string | undefined;
  let intercepted: Parameters<ServedFolder['intercept']>[0] = () => false;
  served.intercept((request, response) => {
    if (intercepted(request, response)) return true;
    if (authorization === undefined || request.headers.authorization === authorization) return false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return true;
  });
  const made = new Set<string>();
  const git = async (repository: string, args: readonly string[], input?: Buffer) => {
    const cwd = join(folder, repository);
    const run = (args: readonly string[], input?: Buffer) =>
      output('git', args, { cwd, env: GIT_ENV, input });
    if (!made.has(repository)) {
      await mkdir(cwd, { recursive: true });
      await run(['init', '--bare', '--quiet', '--initial-branch=main']);
      made.add(repository);
    }
    return (await run(args, input)).trim();
  };
  return {
    ...served,
    git: (repository, ...args) => git(repository, args),
    async commit(repository, branch, file, content) {
      const ref = `refs/heads/${branch}`;
      const before = await git(repository, ['for-each-ref', '--format=%(objectname)', ref]);
      const message = `write ${file}\n`;
      const script = [
        `commit ${ref}\nmark :1\n`,
        `committer ${COMMITTER}\ndata ${message.length}\n${message}`,
        before === '' ? '' : `from ${before}\n`,
        `M 100644 inline ${file}\ndata ${Buffer.byteLength(content)}\n`,
        content,
        '\nget-mark :1\n',
      ];
      return git(
        repository,
        ['fast-import', '--quiet'],
        Buffer.concat(script.map((part) => Buffer.from(part))),
      );
    },
    cutOff: (repository, commit) => writeFile(join(folder, repository, 'shallow'), `${commit}\n`),
    intercept(listener) {
      intercepted = listener;
    },
    protect(username, password) {
      authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    },
    async stop() {
      await served.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Listens on a free port of loopback. */
export async function serve(listener: RequestListener): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** The plainest CGI gateway that `git http-backend` needs. */
async function backend(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const { headers, method } = request;
  const { stdin, stdout } = await startProgram({
    command: 'git',
    args: ['http-backend'],
    cwd: folder,
    env: {
      ...GIT_ENV,
      PATH: process.env.PATH ?? '',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: method ?? '',
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: headers['git-protocol']?.toString() ?? '',
    },
    channel: false,
  });
  // It dies of what it writes, once nobody reads that.
  response.on('close', () => {
    stdin.destroy();
    stdout.destroy();
  });
  request.pipe(stdin);
  let head = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    stdout.off('data', onData);
    const fields = head
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = fields.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(Number.parseInt(status), fields.filter(([name]) => name !== 'Status').flat());
    response.write(head.subarray(end + 4));
    stdout.pipe(response);
  };
  stdout.on('data', onData);
}
