/** A pattern for `like` that finds the text anywhere; `%`, `_` and `\` in it stand for themselves. */
export const fragmentPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
