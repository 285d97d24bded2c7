/** One Ctrl-C can arrive twice: from the terminal, and passed on by npm. */
const ECHO_MS = 1_000;

/** Ctrl-C and SIGTERM as abort signals: the first stops, one that comes later kills. */
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
  return { stop: stop.signal, kill: kill.signal };
}
