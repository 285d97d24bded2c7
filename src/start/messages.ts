/** What a child tells the supervisor, once. */
export interface Ready {
  readonly type: 'ready';
  readonly address?: string;
}

/** The supervisor's one order. */
export interface Stop {
  readonly type: 'stop';
}

/** Whether a child says that it serves now; it may be one that was started again. */
export const isReady = (message: unknown): message is Ready => typeOf(message) === 'ready';
/** Whether the supervisor orders this child to stop. */
export const isStop = (message: unknown): message is Stop => typeOf(message) === 'stop';

const typeOf = (message: unknown) => (message as { type?: unknown } | null)?.type;
