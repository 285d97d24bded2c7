/** One request to one hook, as it is to be sent. */
export interface PlannedDelivery {
  readonly hookId: number;
  /** Tells the deliveries of one event to one hook apart, the same whenever the event is planned again. */
  readonly key: string;
  /** The repository that the event is about: at delivery the hook's owner must have it, or have had it in the end. */
  readonly repositoryId?: number;
  /** Of the headers `X-…-Event` and `X-…-Event-Type`. */
  readonly event: string;
  readonly eventType: string;
  /** JSON, exactly as it is signed and sent. */
  readonly payload: string;
}

/** Where a hook sends, with its secrets in clear: for memory alone. */
export interface HookTarget {
  readonly url: string;
  readonly contentType: 'json' | 'form';
  readonly secret?: string;
  /** The whole value of the header `Authorization`. */
  readonly authorizationHeader?: string;
}

/** The target of a hook as it is now; undefined where it is gone or inactive, or another owner got the repository. */
export type FindHookTarget = (
  hookId: number,
  repositoryId: number | undefined,
) => Promise<HookTarget | undefined>;
