import type { MarkdownIt } from 'markdown-it';

type Match = NonNullable<ReturnType<MarkdownIt['linkify']['matchAtStart']>>;

/** Punctuation that is not part of an address at its end, as in GFM. */
const PUNCTUATION = '?!.,:*_~';

/** Ends bare addresses before trailing punctuation, and lets their hosts have underscores, as names in networks do. */
export function bareAddresses({ linkify }: MarkdownIt): void {
  const { re } = linkify;
  const letter = re.get_pseudo_letter().source;
  const domain = re.get_domain().source;
  const wider = domain.replaceAll(letter, () => `(?:_|${letter})`);
  const hostAndPort = new RegExp(re.get_url_host_port().source.replaceAll(domain, () => wider));
  re.get_url_host_port = () => hostAndPort;
  const match = linkify.match.bind(linkify);
  const matchAtStart = linkify.matchAtStart.bind(linkify);
  linkify.match = (text) => match(text)?.map(trimmed) ?? null;
  linkify.matchAtStart = (text) => {
    const found = matchAtStart(text);
    return found && trimmed(found);
  };
}

function trimmed(found: Match): Match {
  const { raw, text, url, lastIndex } = found;
  let length = raw.length;
  while (length > 0 && PUNCTUATION.includes(raw.charAt(length - 1))) length -= 1;
  const cut = raw.length - length;
  if (cut === 0) return found;
  const without = (whole: string) => whole.slice(0, whole.length - cut);
  return Object.assign(found, {
    raw: without(raw),
    text: without(text),
    url: without(url),
    lastIndex: lastIndex - cut,
  });
}
