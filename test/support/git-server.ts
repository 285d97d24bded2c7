import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const GIT_ENV = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_AUTHOR_DATE: '2024-01-02T03:04:05Z',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_COMMITTER_DATE: '2024-01-02T03:04:05Z',
};

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
    if (!intercepted(request, response)) backend(folder, request, response);
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
  const git = async (repository: string, ...args: string[]) => {
    const path = join(folder, repository);
    await mkdir(path, { recursive: true });
    await run('git', ['init', '--bare', '--quiet', '--initial-branch=main', path], { env: GIT_ENV });
    return (await run('git', ['-C', path, ...args], { env: GIT_ENV })).stdout.trim();
  };
  return {
    ...served,
    git,
    async commit(repository, branch, file, content) {
      const before = await git(repository, 'rev-parse', '--verify', '--quiet', branch).catch(() => '');
      const source = join(folder, 'new-blob');
      await writeFile(source, content);
      const blob = await git(repository, 'hash-object', '-w', source);
      await git(repository, 'read-tree', ...(before === '' ? ['--empty'] : [before]));
      await git(repository, 'update-index', '--add', '--cacheinfo', `100644,${blob},${file}`);
      const tree = await git(repository, 'write-tree');
      const parents = before === '' ? [] : ['-p', before];
      const commit = await git(repository, 'commit-tree', tree, ...parents, '-m', `write ${file}`);
      await git(repository, 'update-ref', `refs/heads/${branch}`, commit);
      return commit;
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
function backend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const { headers, method } = request;
  const child = spawn('git', ['http-backend'], {
    env: {
      ...GIT_ENV,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: method,
      CONTENT_TYPE: headers['content-type'] ?? '',
      CONTENT_LENGTH: headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: headers['git-protocol']?.toString() ?? '',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  response.on('close', () => child.kill());
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    child.stdout.off('data', onData);
    const fields = head
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(/:\s*/, 2) as [string, string]);
    const status = fields.find(([name]) => name === 'Status')?.[1] ?? '200';
    response.writeHead(Number.parseInt(status), fields.filter(([name]) => name !== 'Status').flat());
    response.write(head.subarray(end + 4));
    child.stdout.pipe(response);
  };
  child.stdout.on('data', onData);
}
