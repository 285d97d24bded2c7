/** Whether a name has neither blanks nor control characters of ASCII: those are all characters that git allows in no ref. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is about
export const hasRefCharacters = (name: string): boolean => !/[\x00-\x20\x7f]/.test(name);
