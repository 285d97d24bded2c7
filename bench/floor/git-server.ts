/** The floor of git over HTTP: `git http-backend` behind the plainest CGI server. `FLOOR_GIT_ROOT` holds the repositories. */
import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from './serve.js';

const END_OF_HEADERS = '\r\n\r\n';

function environmentOf({ method, url = '', headers }: IncomingMessage): NodeJS.ProcessEnv {
  const [path, query = ''] = url.split('?');
  return {
    PATH: process.env.PATH,
    GIT_PROJECT_ROOT: process.env.FLOOR_GIT_ROOT,
    GIT_HTTP_EXPORT_ALL: '1',
    REMOTE_USER: 'bench', // who has signed in may push
    REQUEST_METHOD: method,
    PATH_INFO: path,
    QUERY_STRING: query,
    CONTENT_TYPE: headers['content-type'] ?? '',
    ...(headers['content-length'] !== undefined && { CONTENT_LENGTH: headers['content-length'] }),
    ...(headers['content-encoding'] !== undefined && { HTTP_CONTENT_ENCODING: headers['content-encoding'] }),
    ...(headers['git-protocol'] !== undefined && { GIT_PROTOCOL: String(headers['git-protocol']) }),
  };
}

function answer(response: ServerResponse, head: string): void {
  const headers = new Map(
    head.split('\r\n').map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')];
    }),
  );
  const status = Number.parseInt(headers.get('status') ?? '200', 10);
  headers.delete('status');
  response.writeHead(status, Object.fromEntries(headers));
}

serve((request, response) => {
  const cgi = spawn('git', ['http-backend'], {
    env: environmentOf(request),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  request.pipe(cgi.stdin);
  cgi.stdin.on('error', () => undefined); // it may answer before it has read everything
  let head = Buffer.alloc(0);
  const onHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(END_OF_HEADERS);
    if (end < 0) return;
    cgi.stdout.off('data', onHead);
    answer(response, head.toString('latin1', 0, end));
    response.write(head.subarray(end + END_OF_HEADERS.length));
    cgi.stdout.pipe(response);
  };
  cgi.stdout.on('data', onHead);
});
