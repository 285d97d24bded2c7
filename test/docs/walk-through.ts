/** Commands of a page as a reader types them, and what the page says that they show. */
export interface Step {
  readonly line: number;
  readonly commands: string;
  readonly shows?: { readonly language: string; readonly text: string };
}

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;

/** The `sh` blocks of a section, each with the `json` or `text` block that follows it. */
export function walkThrough(page: string, title: string): Step[] {
  const start = page.indexOf(`\n## ${title}\n`);
  if (start < 0) throw new Error(`there is no section ${title}`);
  const end = page.indexOf('\n## ', start + 1);
  const steps: Step[] = [];
  for (const { 1: language = '', 2: text = '', index } of page
    .slice(start, end < 0 ? undefined : end)
    .matchAll(BLOCK)) {
    const last = steps.at(-1);
    if (language === 'sh') {
      steps.push({ line: page.slice(0, start + index).split('\n').length, commands: text });
    } else if (last) {
      if (last.shows) throw new Error(`line ${last.line} shows two things`);
      steps[steps.length - 1] = { ...last, shows: { language, text } };
    }
  }
  return steps;
}

const ANYTHING = '…';

/** Whether an answer is what the page shows, where `"…"` stands for anything, and `"…": "…"` for further fields. */
export function matches(shown: unknown, answered: unknown): boolean {
  if (shown === ANYTHING) return answered !== undefined;
  if (!isObject(shown) || !isObject(answered)) return shown === answered;
  if (Array.isArray(shown) !== Array.isArray(answered)) return false;
  const names = Object.keys(shown).filter((name) => name !== ANYTHING);
  const complete = ANYTHING in shown || Object.keys(answered).length === names.length;
  return complete && names.every((name) => matches(shown[name], answered[name]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
