const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;
const RGB = /^rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*(\d*\.?\d+)\s*)?\)$/i;
const HSL = /^hsla?\(\s*(\d{1,3})\s*,\s*(\d{1,3})%\s*,\s*(\d{1,3})%\s*(?:,\s*(\d*\.?\d+)\s*)?\)$/i;

/** Characters. Nothing longer is meant for a colour, and the patterns take time by the square of the length. */
const LONGEST = 100;

/** The text, where all of it is a colour of CSS within its ranges. */
export function colourIn(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  if (HEX.test(text)) return text;
  return within(RGB.exec(text), [255, 255, 255], 'rgba') || within(HSL.exec(text), [360, 100, 100], 'hsla')
    ? text
    : undefined;
}

function within(match: RegExpExecArray | null, most: readonly number[], withAlpha: string): boolean {
  if (!match) return false;
  const hasAlpha = match[0].toLowerCase().startsWith(withAlpha);
  if (hasAlpha !== (match[4] !== undefined)) return false;
  return most.every((limit, index) => Number(match[index + 1]) <= limit) && Number(match[4] ?? 0) <= 1;
}
