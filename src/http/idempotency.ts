import { createHash, randomUUID } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import { invalid } from '../domain/errors.js';
import type { StoredAnswer } from '../vault/answers.js';
import type { Vault } from '../vault/vault.js';
import type { RequestCommand } from './actions.js';
import type { Answer } from './answer.js';
import type { Context } from './context.js';
import { readBody } from './read-body.js';

/** Any UUID that nothing else uses as a namespace. */
const COMMANDS = '6f1d3c0e-5f0a-4a39-9d2b-6a3f6e0c9b51';

/** A key is opaque to us, but short and printable. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The status of an answer that sends the client to another path. */
const ELSEWHERE = 307;

/** Whether the same request would be answered the same later on: failures of the server and overload pass. */
const isFinal = ({ status }: Answer): boolean => status < 500 && status !== 429;

/** One request that changes something. */
export interface Once {
  /** Gives the answer of `work`, or, for a repeat of the request, the first answer again. */
  readonly answer: (work: () => Promise<Answer>) => Promise<Answer>;
  /** While `work` runs; names the stream that knows whether an earlier attempt was carried out, where there was one. */
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
 * What `Idempotency-Key` promises: for 24 hours the same request under the same key has the first answer, without being
 * done again; another request under that key is 422; of two at once the second waits. After that the key is as good as new.
 * Keys belong to an account and an operation. Failures of the server are not kept, nor that it has too much to do, nor where
 * a request belongs by now: it takes its key there. Without the header, and for anonymous callers, each request is its own.
 */
export async function once(
  ctx: Context,
  vault: Vault,
  operation: string,
  maxBodyBytes: number,
): Promise<Once> {
  const key = ctx.get('Idempotency-Key');
  const { caller } = ctx.state;
  if (key === '' || !caller) return unkeyed();
  if (!KEY.test(key))
    throw invalid('request.idempotency_key', 'IdempotencyKey', 'must be 1 to 255 printable ASCII characters');
  const name = `${caller.accountId} ${operation} ${key}`;
  const keyHash = vault.digest('idempotency', uuidv5(name, COMMANDS));
  const bodyHash = createHash('sha256')
    .update(`${ctx.method} ${ctx.url}\n`)
    .update(await readBody(ctx, maxBodyBytes))
    .digest('hex');

  let commandId = uuidv5(`${name} ${today()}`, COMMANDS);
  let stream: string | undefined;
  const beforeAppend = async (next: string) => {
    if (next === stream) return;
    await vault.answers.store(keyHash, { bodyHash, stream: next, commandId });
    stream = next;
  };
  return {
    command: () => ({ commandId, repeatable: true, beforeAppend, attempted: stream }),
    answer: (work) =>
      vault.withKeyLock(keyHash, async () => {
        const first = await vault.answers.find(keyHash);
        if (first && first.bodyHash !== bodyHash)
          throw invalid('request.idempotency_key', 'IdempotencyKey', 'was used for another request');
        if (first && 'status' in first) return answerOf(first);
        if (first) {
          stream = first.stream;
          commandId = first.commandId ?? uuidv5(name, COMMANDS);
        }
        const answer = await work();
        if (answer.status === ELSEWHERE) await vault.answers.remove(keyHash);
        else if (isFinal(answer))
          await vault.answers.store(keyHash, { bodyHash, accountId: caller.accountId, body: '', ...answer });
        return answer;
      }),
  };
}

/** It makes the id of a command another one once its key may be used again. */
const today = (): string => new Date().toISOString().slice(0, 10);
