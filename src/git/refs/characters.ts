/** Tells whether a name has neither spaces nor ASCII control characters, which git allows in no ref. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is about
export const hasRefCharacters = (name: string): boolean => !/[\x00-\x20\x7f]/.test(name);
