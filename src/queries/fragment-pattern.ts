/** Returns a `like` pattern that matches the text anywhere. `%`, `_` and `\` in the text have no special meaning. */
export const fragmentPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
