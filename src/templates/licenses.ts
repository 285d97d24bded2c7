import { createRequire } from 'node:module';
import spdx from 'spdx-license-list';

const require = createRequire(import.meta.url);

/** A license of the SPDX list; its key is its identifier there. */
export interface License {
  readonly key: string;
  /** The full name. */
  readonly name: string;
}

/** Values for the blanks of a license, inserted verbatim; an empty one leaves the place empty. */
export interface LicenseFacts {
  readonly owner: string;
  readonly email: string;
  readonly year: string;
  readonly repository: string;
}

/** The placeholders of licenses, and the value for each. */
const BLANKS: readonly (readonly [RegExp, keyof LicenseFacts])[] = [
  // Placeholders of 0BSD, which are bare words; in this order, as each pattern depends on the words before or after it.
  [/(?<=YEAR by AUTHOR )EMAIL/g, 'email'],
  [/(?<=YEAR by )AUTHOR/g, 'owner'],
  [/YEAR(?= by )/g, 'year'],
  [/<year>|\[year\]|<yyyy>|\[yyyy\]|\[xxxx\]|\$?\{year\}/gi, 'year'],
  [
    /<owner>|<(copyright )?holders?>|\[copyright holders?\]|<name of author>|<author('s name or designee)?>|\[name\]|<owner organization name>|\[owner organization\]|\[name of copyright (owner|holder)\]|\$\{licensor name\}/gi,
    'owner',
  ],
  [/<email>|\[email\]/gi, 'email'],
  [
    /<program>|<one line to give the (program|library)'s name and (a brief|an) idea of what it does\.>|<repository>|\[software name\]/gi,
    'repository',
  ],
];

/** Instructions for applying a license. */
export const LICENSE_USE =
  'Put the text into a file named LICENSE or COPYING at the root of the source code, with the year and the name of the copyright holder filled in.';

/** All licenses, by key. */
export const licenses: readonly License[] = Object.entries(spdx)
  .map(([key, { name }]) => ({ key, name }))
  .sort((a, b) => (a.key < b.key ? -1 : 1));

const byKey = new Map(licenses.map((license) => [license.key, license]));

/** Returns the license of that key, in exactly this letter case; undefined if there is none. */
export const findLicense = (key: string): License | undefined => byKey.get(key);

/**
 * Returns the text of a license, with its blanks filled if facts are given. Texts are loaded on demand, because all of
 * them take 5 MB.
 */
export function licenseText({ key }: License, facts?: LicenseFacts): string {
  const { licenseText: text } = require(`spdx-license-list/licenses/${key}.json`) as { licenseText: string };
  const filled = facts
    ? BLANKS.reduce((filling, [blank, fact]) => filling.replace(blank, () => facts[fact]), text)
    : text;
  return `${filled.trimEnd()}\n`;
}
