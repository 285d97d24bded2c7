import { DomainError } from '../domain/errors.js';
import { GitRepositoryMissing } from '../git/port/errors.js';
import type { Context } from '../http/context.js';
import { answerTo } from '../http/middleware/errors.js';
import { isMoved, type Moved } from '../http/moved.js';
import { Refused } from '../http/refused.js';
import { mayPass } from '../failures/may-pass.js';
import type { GitRequest } from './route.js';

/** Answers with the reason in plain text, which git shows, or with a redirect if the repository has moved. */
export function refuse(ctx: Context, request: GitRequest, error: unknown, baseUrl: string): void {
  ctx.respond = true;
  if (ctx.res.headersSent) return;
  if (isMoved(error)) {
    ctx.redirect(placeOf(request, error, baseUrl));
    ctx.status = 307;
    return;
  }
  const { status, text, headers = {} } = inWords(error);
  if (status >= 500) ctx.state.log.error({ err: error, operation: ctx.state.operation }, 'a request failed');
  ctx.set(headers);
  ctx.status = status;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.body = `${text}\n`;
}

/** Returns the current owner and name of a repository that has moved. */
export const nameNow = ({ repo }: GitRequest, moved: Moved): Pick<GitRequest, 'owner' | 'repo'> =>
  'repo' in moved ? { owner: moved.owner, repo: moved.repo } : { owner: moved.to, repo };

interface Words {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function inWords(error: unknown): Words {
  if (error instanceof Refused) return { status: error.status, text: error.message, headers: error.headers };
  if (error instanceof GitRepositoryMissing) return { status: 404, text: 'no such repository' };
  if (error instanceof DomainError) return { status: answerTo(error)?.status ?? 500, text: error.message };
  if (mayPass(error)) return { status: 503, text: 'not now, try again', headers: { 'Retry-After': '1' } };
  return { status: 500, text: 'something failed on the server' };
}

function placeOf(request: GitRequest, moved: Moved, baseUrl: string): string {
  const { owner, repo } = nameNow(request, moved);
  return `${baseUrl}/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}.git${request.rest}`;
}
