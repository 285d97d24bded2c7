import { PushRefused } from './refused.js';

/** The settings of its repository that a push asks to change. */
export interface AskedSettings {
  readonly isPrivate?: boolean;
  readonly isTemplate?: boolean;
}

const SETTINGS = { 'repo.private': 'isPrivate', 'repo.template': 'isTemplate' } as const;

const isSetting = (name: string): name is keyof typeof SETTINGS => Object.hasOwn(SETTINGS, name);

/** Parses the options of a push; unknown ones are ignored, and the last of a kind counts. Throws `PushRefused`. */
export function settingsAsked(options: readonly string[]): AskedSettings {
  const asked: { -readonly [Key in keyof AskedSettings]: AskedSettings[Key] } = {};
  for (const option of options) {
    const [, name = '', value = 'true'] = /^([^=]*)(?:=(.*))?$/s.exec(option) ?? [];
    if (isSetting(name)) asked[SETTINGS[name]] = truth(name, value);
  }
  return asked;
}

function truth(name: string, value: string): boolean {
  if (/^(1|t|true|on)$/i.test(value)) return true;
  if (/^(0|f|false|off)$/i.test(value)) return false;
  throw new PushRefused(`the option ${name} is true or false`);
}
