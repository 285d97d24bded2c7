import { createRequire } from 'node:module';
import spdx from 'spdx-license-list';

const require = createRequire(import.meta.url);

/** A license of the SPDX list; its key is its identifier there. */
export interface License {
  readonly key: string;
  /** In words. */
  readonly name: string;
}

/** What the blanks of a license are filled with, as it is given; an empty one leaves nothing there. */
export interface LicenseFacts {
  readonly owner: string;
  readonly email: string;
  readonly year: string;
  readonly repository: string;
}

/** How licenses mark what whoever takes them fills in. */
const BLANKS: readonly (readonly [RegExp, keyof LicenseFacts])[] = [
  // Of 0BSD, which has bare words for them, the last one first.
  [/(?<=YEAR by AUTHOR )EMAIL/g, 'email'],
  [/(?<=YEAR by )AUTHOR/g, 'owner'],
  [/YEAR(?= by )/g, 'year'],
  [/<year>|\[year\]|<yyyy>|\[yyyy\]|\[xxxx\]|\$\{year\}/gi, 'year'],
  [
    /<owner>|<copyright holders?>|\[copyright holders?\]|<name of author>|<author>|<owner organization name>|\[owner organization\]|\[name of copyright (owner|holder)\]|\$\{licensor name\}/gi,
    'owner',
  ],
  [/<email>|\[email\]/gi, 'email'],
  [/<program>|<repository>|\[software name\]/gi, 'repository'],
];

/** How a license is put to use. */
export const LICENSE_USE =
  'Put the text into a file named LICENSE or COPYING at the root of the source code, with the year and the name of the copyright holder filled in.';

/** All licenses, by key. */
export const licenses: readonly License[] = Object.entries(spdx)
  .map(([key, { name }]) => ({ key, name }))
  .sort((a, b) => (a.key < b.key ? -1 : 1));

const byKey = new Map(licenses.map((license) => [license.key, license]));

/** The license of that key, in its very letter case; undefined where there is none. */
export const findLicense = (key: string): License | undefined => byKey.get(key);

/**
 * The text of a license, with its blanks filled where facts are given. Texts are read as they are asked for: they are 5
 * MB.
 */
export function licenseText({ key }: License, facts?: LicenseFacts): string {
  const { licenseText: text } = require(`spdx-license-list/licenses/${key}.json`) as { licenseText: string };
  const filled = facts
    ? BLANKS.reduce((filling, [blank, fact]) => filling.replace(blank, () => facts[fact]), text)
    : text;
  return `${filled.trimEnd()}\n`;
}
