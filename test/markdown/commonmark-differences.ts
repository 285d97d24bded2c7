const wikiLink = 'two brackets are a link of a wiki';
const bareAddress = 'an address is a link without brackets';

/** The examples of CommonMark that are answered otherwise on purpose, and why. */
export const deliberate: Readonly<Record<number, string>> = {
  548: wikiLink,
  559: wikiLink,
  590: wikiLink,
  602: bareAddress,
  608: bareAddress,
  611: bareAddress,
  612: bareAddress,
};
