/** How long a second Ctrl-C is ignored: one may arrive twice, from the terminal and passed on by npm. */
const ECHO_MS = 1_000;

const PARENT_CHECK_MS = 500;

/**
 * Turns Ctrl-C and SIGTERM into abort signals: the first one stops, a later one kills. Under npm, the end of the npm
 * process stops too, because SIGKILL cannot be passed on and whoever sent it to npm meant the program.
 */
export function stopSignals(): { readonly stop: AbortSignal; readonly kill: AbortSignal } {
  const stop = new AbortController();
  const kill = new AbortController();
  let first = 0;
  const onSignal = () => {
    if (!stop.signal.aborted) {
      first = performance.now();
      stop.abort();
    } else if (performance.now() - first > ECHO_MS) {
      kill.abort();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  if (process.env.npm_lifecycle_event !== undefined) {
    const npm = process.ppid;
    setInterval(() => {
      if (process.ppid !== npm) stop.abort();
    }, PARENT_CHECK_MS).unref();
  }
  return { stop: stop.signal, kill: kill.signal };
}
