/** A delivery to one hook, before it has an id. */
export interface PlannedDelivery {
  readonly hookId: number;
  /** Distinguishes the deliveries of one event to one hook; the same each time the event is planned. */
  readonly key: string;
  /** The repository that the event is about. When it is sent, that must belong to the hook's owner, or have done so last. */
  readonly repositoryId?: number;
  /** The value of the header `X-…-Event`; `eventType` is that of `X-…-Event-Type`. */
  readonly event: string;
  readonly eventType: string;
  /** The JSON text, exactly as it is signed and sent. */
  readonly payload: string;
}

/** Where a hook sends to, with its secrets in clear text; never to be stored unencrypted. */
export interface HookTarget {
  readonly url: string;
  readonly contentType: 'json' | 'form';
  readonly secret?: string;
  /** The whole value of the header `Authorization`. */
  readonly authorizationHeader?: string;
}

/** Finds a hook's current target; undefined if it is deleted or inactive, or the repository has another owner now. */
export type FindHookTarget = (
  hookId: number,
  repositoryId: number | undefined,
) => Promise<HookTarget | undefined>;
