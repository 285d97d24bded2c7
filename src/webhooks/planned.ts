/** One request to one hook, as it is to be sent. */
export interface PlannedDelivery {
  readonly hookId: number;
  /** Tells the deliveries of one event to one hook apart, the same whenever the event is planned again. */
  readonly key: string;
  /** The repository that the event is about: the hook's owner must still have it at delivery. */
  readonly repositoryId?: number;
  /** Of the headers `X-…-Event` and `X-…-Event-Type`. */
  readonly event: string;
  readonly eventType: string;
  /** JSON, exactly as it is signed and sent. */
  readonly payload: string;
  /** Where to, for a hook that will not be there any more; others are looked up at delivery. */
  readonly frozen?: HookTarget;
}

/** Where a hook sends, with its secrets in clear: for memory alone. */
export interface HookTarget {
  readonly url: string;
  readonly contentType: 'json' | 'form';
  readonly secret?: string;
  /** The whole value of the header `Authorization`. */
  readonly authorizationHeader?: string;
}

/** The target of a hook as it is now; undefined where it is gone or inactive, or its owner lost the repository. */
export type FindHookTarget = (
  hookId: number,
  repositoryId: number | undefined,
) => Promise<HookTarget | undefined>;
