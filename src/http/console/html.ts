import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONSOLE } from './assets.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Loads a page of `console/`; the result fills `{{name}}` with escaped texts, and throws if one is missing. */
export function template(name: string): (texts: Readonly<Record<string, string>>) => string {
  const html = readFileSync(join(CONSOLE, name), 'utf8');
  return (texts) =>
    html.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
      const text = texts[key];
      if (text === undefined) throw new Error(`${name} has no text for ${key}`);
      return escape(text);
    });
}
