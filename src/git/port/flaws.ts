/** git's names of flaws that are common in old commits and trees, and harmless. */
const HARMLESS = [
  'badFilemode',
  'badTimezone',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingTaggerEntry',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
];

/** Returns settings by which git accepts objects with these flaws, in fetches or pushes; it refuses all other flaws. */
export const leniency = (towards: 'fetch' | 'receive'): Record<string, string> =>
  Object.fromEntries(HARMLESS.map((flaw) => [`${towards}.fsck.${flaw}`, 'ignore']));
