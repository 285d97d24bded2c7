import { z } from 'zod';
import { DomainError, type RefusalKind } from '../../domain/errors.js';
import { QuotaExceeded } from '../../domain/quota/quota-exceeded.js';
import { AppendTooLarge } from '../../event-store/event-store.js';
import { GitLimitExceeded, GitRepositoryMissing } from '../../git/port/errors.js';
import { stringifyJson } from '../../values/json.js';
import { mayPass } from '../../failures/may-pass.js';
import { JSON_TYPE, type Answer } from '../answers/answer.js';
import { pascalCase } from '../body/fields.js';
import type { Middleware, RequestState } from '../context.js';
import { presentReason } from '../quota/reason.js';
import { NotShownYet, POSITION_HEADER } from '../recent-writes.js';
import { Refused } from '../refused.js';
import { send } from '../answers/send.js';

/** The documentation's address in errors; clients accept any constant. */
export const DOCUMENTATION = '/api/swagger';

const SOON = { 'Retry-After': '1' };

const statuses: Readonly<Record<RefusalKind, number>> = {
  'bad-request': 400,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  precondition: 412,
  'quota-exceeded': 413,
  invalid: 422,
  locked: 423,
  busy: 423,
  'too-many': 429,
  unavailable: 503,
};

/** What is refused now may be granted a moment later, to the same request. */
const passing: ReadonlySet<RefusalKind> = new Set(['busy', 'too-many', 'unavailable']);

/** Returns the answer to an error that the client caused; undefined for a bug. Addresses in it begin with `baseUrl`. */
export function answerTo(error: unknown, baseUrl = ''): Answer | undefined {
  if (error instanceof QuotaExceeded)
    return bodyAnswer(statuses[error.kind], presentQuotaExceeded(error, baseUrl), {});
  if (error instanceof DomainError)
    return problemAnswer(statuses[error.kind], error.message, passing.has(error.kind) ? SOON : {});
  if (error instanceof AppendTooLarge)
    return problemAnswer(422, 'this is more than can be stored at once: split it into several requests');
  if (error instanceof GitLimitExceeded)
    return problemAnswer(422, 'this takes too long or is too large in this repository');
  if (error instanceof GitRepositoryMissing) return problemAnswer(404, 'no such repository');
  if (error instanceof z.ZodError) return problemAnswer(422, messageOf(error));
  if (error instanceof Refused)
    return error.messageOnly
      ? bodyAnswer(error.status, { message: error.message }, error.headers)
      : problemAnswer(error.status, error.message, error.headers);
  return undefined;
}

/** Tells whether an error says that something does not exist: what the path names, or a name in the body. */
export const isAbsence = (error: unknown): boolean =>
  answerTo(error)?.status === 404 ||
  (error instanceof DomainError && /\.(?:absent|unknown)$/.test(error.code));

const presentQuotaExceeded = ({ message, account, reason, isTold }: QuotaExceeded, baseUrl: string) => ({
  message,
  user_id: account.id,
  username: account.name,
  ...(isTold && { reason: presentReason(reason, account.name, baseUrl) }),
});

/** Makes the answer that tells what is wrong; headers are sent with it. */
export function problemAnswer(status: number, message: string, headers = {}): Answer {
  return bodyAnswer(status, { message, url: DOCUMENTATION, ...(status === 404 && { errors: [] }) }, headers);
}

const bodyAnswer = (status: number, body: object, headers: Readonly<Record<string, string>>): Answer => ({
  status,
  headers: { ...headers, 'Content-Type': JSON_TYPE },
  body: stringifyJson(body),
});

/** Formats the first failing field and its error: `[Limit]: Required`. */
function messageOf({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.find((part) => typeof part === 'string');
  const message = issue?.message ?? 'Invalid';
  return field === undefined ? message : `[${pascalCase(field)}]: ${message}`;
}

/** Answers whatever was thrown. The details of a bug go only to the log. */
export const errors: Middleware = async function errors(ctx, next) {
  try {
    await next();
  } catch (error) {
    const answer = answerTo(error);
    if (!answer) ctx.state.log.error({ err: error, operation: ctx.state.operation }, 'a request failed');
    const isBare = answer?.status === 404 && ctx.state.bareAbsence;
    send(ctx, isBare ? { status: 404, headers: {} } : (answer ?? bareFailure(error, ctx.state)));
  }
};

/** Makes an answer that tells the client nothing but whether something was done, and whether trying again may help. */
function bareFailure(error: unknown, { searches }: RequestState): Answer {
  if (error instanceof NotShownYet) {
    const message = `${error.message}: repeated without the same Idempotency-Key, it is done again`;
    return problemAnswer(503, message, { ...SOON, [POSITION_HEADER]: String(error.position) });
  }
  if (mayPass(error)) return problemAnswer(503, 'not now, try again', SOON);
  return searches ? bodyAnswer(500, { ok: false, error: 'the search failed' }, {}) : problemAnswer(500, '');
}
