import type { DueDelivery, Settled } from './lanes.js';
import type { FindHookTarget, HookTarget } from './planned.js';
import type { Post } from './post.js';
import { masked, requestFor } from './request.js';
import { verdictOn } from './verdict.js';

/** What tells where a delivery goes and sends it there; `now` is the clock that attempts are dated by. */
export interface AttemptOptions {
  readonly findTarget: FindHookTarget;
  /** Opens what was sealed for a hook that is gone. Throws where it cannot be opened. */
  readonly thaw: (id: string, frozen: Buffer) => HookTarget;
  readonly post: Post;
  readonly now: () => Date;
}

/** Sends a delivery to where its hook leads, if it leads anywhere. */
export async function attempt(
  delivery: DueDelivery,
  target: HookTarget | NoTarget,
  { post, now }: Pick<AttemptOptions, 'post' | 'now'>,
): Promise<Settled> {
  if ('status' in target) return target;
  const hookRequest = requestFor(delivery, target);
  const [at, begun] = [now(), performance.now()];
  const answer = await post(hookRequest);
  return {
    ...verdictOn(answer, delivery.attempts + 1, now()),
    attempt: {
      at,
      durationMs: Math.round(performance.now() - begun),
      request: masked(hookRequest),
      ...('response' in answer && { response: answer.response }),
    },
    ...('error' in answer && { error: answer.error.replaceAll('\0', '') }),
  };
}

/** What is written down where nothing is sent. */
export interface NoTarget extends Settled {
  readonly status: 'skipped' | 'failed';
}

/** Where the hook of a delivery leads now. Rejects where that cannot be found out at the moment. */
export async function targetOf(
  { id, hookId, repositoryId, frozen }: DueDelivery,
  { findTarget, thaw }: Pick<AttemptOptions, 'findTarget' | 'thaw'>,
): Promise<HookTarget | NoTarget> {
  if (!frozen) {
    const target = await findTarget(hookId, repositoryId);
    return (
      target ?? {
        status: 'skipped',
        error: 'the hook is gone or inactive, lost its secret, or may not know of this any more',
      }
    );
  }
  try {
    return thaw(id, frozen);
  } catch {
    return { status: 'failed', error: 'the target cannot be decrypted: was VAULT_KEY changed?' };
  }
}
