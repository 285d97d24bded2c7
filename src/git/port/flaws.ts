/** Flaws that old commits and trees are full of, and that harm nobody. */
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

/** Settings by which git takes objects with such flaws, of another server or of who pushes; it refuses all others. */
export const leniency = (towards: 'fetch' | 'receive'): Record<string, string> =>
  Object.fromEntries(HARMLESS.map((flaw) => [`${towards}.fsck.${flaw}`, 'ignore']));
