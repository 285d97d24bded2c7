const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;
const RGB = /^rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*(?:,\s*(\d*\.?\d+)\s*)?\)$/i;
const HSL = /^hsla?\(\s*(\d{1,3})\s*,\s*(\d{1,3})%\s*,\s*(\d{1,3})%\s*(?:,\s*(\d*\.?\d+)\s*)?\)$/i;

/** The maximum length of a colour in characters. The patterns take quadratic time, so longer texts are not tried. */
const LONGEST = 100;

/** Returns the text if all of it is a CSS colour with values in range; undefined otherwise. */
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
