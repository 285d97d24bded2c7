/** Tells whether a text has more than `most` Unicode code points. Does not count those of a text that is far longer. */
export const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);
