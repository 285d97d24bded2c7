/** The units of durations in Go, in billionths of a second; with both signs for micro. */
const UNITS: Readonly<Record<string, bigint>> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  '\u00b5s': 1_000n,
  '\u03bcs': 1_000n,
  ns: 1n,
};
const UNIT = '(?:[mu\u00b5\u03bcn]?s|h|m)';
const DURATION = new RegExp(String.raw`^(?:\d{1,15}(?:\.\d{1,9})?${UNIT})+$`);
const PART = new RegExp(String.raw`(\d+)(?:\.(\d+))?(${UNIT})`, 'g');

/** Longer text is no duration: millions of parts would take seconds to add up. */
const MAX_CHARACTERS = 100;

/** Formats a duration as Forgejo and Gitea do: `8h0m0s`. */
export function durationText(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

/** Parses a duration such as `8h30m` to whole seconds; `0` needs no unit. Returns undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (text.length > MAX_CHARACTERS || !DURATION.test(text)) return undefined;
  const billionths = [...text.matchAll(PART)].reduce(
    (sum, [, whole = '', fraction = '', unit = '']) =>
      sum + (BigInt(whole + fraction.padEnd(9, '0')) * (UNITS[unit] ?? 0n)) / 1_000_000_000n,
    0n,
  );
  return Number(billionths / 1_000_000_000n);
}
