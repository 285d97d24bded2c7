import type { DueDelivery, Settled } from './lanes.js';
import type { FindHookTarget, HookTarget } from './planned.js';
import type { Post } from './post.js';
import { masked, requestFor } from './request.js';
import { verdictOn } from './verdict.js';

/** What an attempt needs to find a delivery's target and send to it; `now` is the clock that dates attempts. */
export interface AttemptOptions {
  readonly findTarget: FindHookTarget;
  /** Decrypts the target that was sealed for a delivery of a deleted hook. Throws if it cannot be decrypted. */
  readonly thaw: (id: string, frozen: Buffer) => HookTarget;
  readonly post: Post;
  readonly now: () => Date;
}

/** Sends a delivery to its target and returns the outcome; if there is no target, sends nothing and returns the reason. */
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

/** The outcome of a delivery that has no target, so that nothing is sent. */
export interface NoTarget extends Settled {
  readonly status: 'skipped' | 'failed';
}

/** Finds the target of a delivery: the frozen one, or else the hook's current one. Rejects if the look-up fails. */
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
