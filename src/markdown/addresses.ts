import type { MarkdownJob } from './job.js';

const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
/** What browsers leave out before they look for a scheme. */
const BEFORE_ADDRESS = /^[\0- ]+/;
const OWN_ANCHOR = /^#(?:user-content-|fn(?:ref)?:user-content-)/;

/** Where a link of the text leads. Anchors go to the prefixed ids of the page; a leading slash stays below the base. */
export function linkAddress(address: string, { linkBase, wiki }: MarkdownJob): string {
  if (address.startsWith('#'))
    return OWN_ANCHOR.test(address) ? address : `#user-content-${address.slice(1)}`;
  return below(wiki ? `${linkBase}/wiki` : linkBase, address);
}

/** Where an image of a text is, a relative one below the files of its repository, or of its wiki. */
export const imageAddress = (address: string, { linkBase, wiki }: MarkdownJob): string =>
  below(wiki ? `${linkBase}/wiki/raw` : linkBase, address);

function below(base: string, given: string): string {
  const address = given.replace(BEFORE_ADDRESS, '');
  if (address === '' || ABSOLUTE.test(address)) return address;
  const relative = `./${address.replace(/^\/+/, '')}`;
  if (/^https?:/i.test(base))
    return URL.canParse(relative, `${base}/`) ? new URL(relative, `${base}/`).href : address;
  // Without a context the root of the site is the base; its own origin is no part of the answer.
  const resolved = URL.canParse(relative, `http://site.invalid${base}/`)
    ? new URL(relative, `http://site.invalid${base}/`)
    : undefined;
  return resolved ? resolved.pathname + resolved.search + resolved.hash : address;
}
