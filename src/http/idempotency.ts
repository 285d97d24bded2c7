import { createHash, randomUUID } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import type { Queryable } from '../database/queryable.js';
import { invalid } from '../domain/errors.js';
import type { StoredAnswer } from '../vault/answers.js';
import type { RequestCommand } from './handler-request.js';
import type { Answer } from './answers/answer.js';
import type { Principal } from './caller.js';
import type { Context } from './context.js';
import { accountIdNamed } from './find.js';
import { readBody } from './body/read-body.js';
import type { Route } from './route.js';
import type { Services } from './services.js';

/** The UUID namespace of command ids. */
const COMMANDS = '6f1d3c0e-5f0a-4a39-9d2b-6a3f6e0c9b51';

/** A key is opaque to the server, but must be short and visible. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The status of a redirect to another path. */
const ELSEWHERE = 307;

/** The maximum size in bytes of a body that is kept: that of an issue with the longest text, for example, is smaller. */
const MAX_KEPT_BYTES = 512 * 1024;

/** Tells whether a repeat would get the same answer. Failures of the server, overload, and what says to try again pass. */
const isFinal = ({ status, headers }: Answer): boolean =>
  status < 500 && status !== 429 && !('Retry-After' in headers);

/** Tells whether an answer is kept itself. A larger one, as with a file's content, is made again from what was done. */
const isKept = ({ body = '' }: Answer): boolean => Buffer.byteLength(body) <= MAX_KEPT_BYTES;

/** One request that changes something. */
export interface Once {
  /** Returns the answer of `work` or, if the request is a repeat, the first answer again. */
  readonly answer: (work: () => Promise<Answer>) => Promise<Answer>;
  /**
   * Returns the request's command while `work` runs; after an earlier attempt, `attempted` names the stream that knows
   * whether that attempt was carried out.
   */
  readonly command: () => RequestCommand;
}

const answerOf = ({ status, headers, body }: StoredAnswer): Answer => ({
  status,
  headers,
  ...(body !== '' && { body }),
});

function unkeyed(): Once {
  const commandId = randomUUID();
  let stream: string | undefined;
  const beforeAppend = (next: string) => {
    stream = next;
  };
  return {
    answer: (work) => work(),
    command: () => ({ commandId, repeatable: false, beforeAppend, attempted: stream }),
  };
}

/**
 * Implements `Idempotency-Key`. For 24 hours, the same request under the same key gets the first answer again without being
 * carried out; another request under that key gets 422; of two concurrent ones the second waits. After that the key may be
 * used anew. Keys belong to an account and an operation, whichever way its path is spelt. By a token with other scopes, or
 * by a token instead of the password, it is another request, because a repeat is not asked again what it may do. Answers of
 * 5xx and 429 are not kept, nor those that say to come again, nor redirects, so that the request may use its key at the new
 * path. Large answers are not kept either: a repeat is then answered as if the first answer had been lost. Without the
 * header, and for anonymous callers, each request counts as new.
 */
export async function once(
  ctx: Context,
  { vault, db, config }: Pick<Services, 'vault' | 'db' | 'config'>,
  { id, spells }: Pick<Route, 'id' | 'spells'>,
): Promise<Once> {
  const key = ctx.get('Idempotency-Key');
  const { caller } = ctx.state;
  if (key === '' || !caller) return unkeyed();
  if (!KEY.test(key))
    throw invalid('request.idempotency_key', 'IdempotencyKey', 'must be 1 to 255 visible ASCII characters');
  const name = `${caller.accountId} ${spells?.id ?? id} ${key}`;
  const keyHash = vault.digest('idempotency', uuidv5(name, COMMANDS));
  const bodyHash = createHash('sha256')
    .update(`${rightsOf(caller)}${ctx.method} ${spells?.url(ctx.url) ?? ctx.url}\n`)
    .update(await readBody(ctx, config.maxBodyBytes))
    .digest('hex');

  let commandId = uuidv5(`${name} ${today()}`, COMMANDS);
  let stream: string | undefined;
  let holder: Queryable | undefined;
  const beforeAppend = async (next: string) => {
    if (next === stream) return;
    // By the holder, so that whoever has the lock after it finds the stream, or nothing is noted and appended.
    await vault.answers.store(keyHash, { bodyHash, stream: next, commandId }, holder);
    stream = next;
  };
  return {
    command: () => ({ commandId, repeatable: true, beforeAppend, attempted: stream }),
    answer: (work) =>
      vault.withKeyLock(keyHash, async (held) => {
        holder = held;
        const first = await vault.answers.find(keyHash);
        if (first && first.bodyHash !== bodyHash)
          throw invalid('request.idempotency_key', 'IdempotencyKey', 'was used for another request');
        if (first && 'status' in first) return answerOf(first);
        if (first) {
          stream = first.stream;
          commandId = first.commandId ?? uuidv5(name, COMMANDS);
        }
        const namedId = await idNamedBy(ctx, db); // before the work: what fails now has done nothing
        const answer = await work();
        if (answer.status === ELSEWHERE) await vault.answers.remove(keyHash, held);
        else if (isFinal(answer) && isKept(answer)) {
          const { accountId } = caller;
          const kept = { bodyHash, accountId, namedId, body: '', ...answer };
          await vault.answers.store(keyHash, kept, held);
        }
        return answer;
      }),
  };
}

/** Returns what tells a token from others by what it may do; empty for a password, which may do everything. */
const rightsOf = ({ byPassword, scopes }: Principal) => (byPassword ? '' : `${String(scopes)} `);

/** Returns the id of the account whose name is in the path; undefined if there is none. */
async function idNamedBy({ state: { params } }: Context, db: Queryable): Promise<number | undefined> {
  return accountIdNamed(db, params.owner ?? params.username ?? '');
}

/** The day, which is part of command ids, so that a key that is used anew gets another command id. */
const today = (): string => new Date().toISOString().slice(0, 10);
