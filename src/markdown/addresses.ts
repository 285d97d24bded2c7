import { parsedUrl } from '../values/parsed-url.js';
import type { MarkdownJob } from './job.js';

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;
/** The characters that browsers skip at the start of an address, before its scheme. */
const BEFORE_ADDRESS = /^[\0- ]+/;
const OWN_ANCHOR = /^#(?:user-content-|fn(?:ref)?:user-content-)/;

/**
 * Resolves the address of a link in a text. Anchors refer to the page's prefixed ids; what begins with slashes, however
 * many, stays below the base.
 */
export function linkAddress(address: string, { linkBase, wiki }: MarkdownJob): string {
  if (address.startsWith('#'))
    return OWN_ANCHOR.test(address) ? address : `#user-content-${address.slice(1)}`;
  return below(wiki ? `${linkBase}/wiki` : linkBase, address);
}

/** Resolves the address of an image in a text; relative ones lie below the files of the repository, or of its wiki. */
export const imageAddress = (address: string, { linkBase, wiki }: MarkdownJob): string =>
  below(wiki ? `${linkBase}/wiki/raw` : linkBase, address);

function below(base: string, given: string): string {
  const address = given.replace(BEFORE_ADDRESS, '');
  if (address === '' || ABSOLUTE.test(address)) return address;
  const relative = `./${address.replace(/^\/+/, '')}`;
  if (/^https?:/i.test(base)) return parsedUrl(relative, `${base}/`)?.href ?? address;
  // Without a context, addresses are relative to the root of the site, and the answer leaves out the placeholder origin.
  const resolved = parsedUrl(relative, `http://site.invalid${base}/`);
  // Two slashes would begin the name of a host.
  return resolved ? resolved.pathname.replace(/^\/+/, '/') + resolved.search + resolved.hash : address;
}
