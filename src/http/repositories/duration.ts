const UNITS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

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
  if (text.length > MAX_CHARACTERS || !/^(?:\d{1,9}(?:\.\d{1,9})?[hms])+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+)(?:\.(\d+))?([hms])/g)];
  const billionths = parts.reduce(
    (sum, [, whole = '', fraction = '', unit = '']) =>
      sum + BigInt(whole + fraction.padEnd(9, '0')) * BigInt(UNITS[unit] ?? 0),
    0n,
  );
  return Number(billionths / 1_000_000_000n);
}
