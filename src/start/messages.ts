/** A child's one message to the supervisor: it is ready to serve. */
export interface Ready {
  readonly type: 'ready';
  readonly address?: string;
}

/** The supervisor's only order. */
export interface Stop {
  readonly type: 'stop';
}

/** Tells whether a message says that a child is ready, for the first time or after a restart. */
export const isReady = (message: unknown): message is Ready => typeOf(message) === 'ready';
/** Tells whether a message is the supervisor's order to stop. */
export const isStop = (message: unknown): message is Stop => typeOf(message) === 'stop';

const typeOf = (message: unknown) => (message as { type?: unknown } | null)?.type;

/** The exit status of a child whose start failed in a way that may pass: EX_TEMPFAIL of sysexits.h. */
export const EXIT_PASSING = 75;
