import type { MarkdownIt } from 'markdown-it';

type Match = NonNullable<ReturnType<MarkdownIt['linkify']['matchAtStart']>>;

/** What is not part of an address at its end, as in GFM: punctuation, and what looks like an entity, such as `&gt;`. */
const END = /(?:&[a-z\d]+;|[?!.,:;*_~])$/i;
/** The maximum length of an entity in characters. */
const LONGEST_ENTITY = 40;

/**
 * Ends bare addresses before trailing punctuation and entities, and lets their hosts have underscores, as names in
 * networks do.
 */
export function bareAddresses({ linkify }: MarkdownIt): void {
  const { re } = linkify;
  const letter = re.get_pseudo_letter().source;
  const domain = re.get_domain().source;
  const wider = domain.replaceAll(letter, () => `(?:_|${letter})`);
  const hostAndPort = new RegExp(re.get_url_host_port().source.replaceAll(domain, () => wider));
  re.get_url_host_port = () => hostAndPort;
  const match = linkify.match.bind(linkify);
  const matchAtStart = linkify.matchAtStart.bind(linkify);
  linkify.match = (text) => match(text)?.map((found) => trimmed(found, text)) ?? null;
  linkify.matchAtStart = (text) => {
    const found = matchAtStart(text);
    return found && trimmed(found, text);
  };
}

function trimmed(found: Match, source: string): Match {
  const { raw, text, url, lastIndex } = found;
  // The semicolon of an entity is not in the match.
  const whole = source.charAt(lastIndex) === ';' ? `${raw};` : raw;
  const cut = raw.length - lengthOf(whole);
  if (cut === 0) return found;
  const without = (whole: string) => whole.slice(0, whole.length - cut);
  return Object.assign(found, {
    raw: without(raw),
    text: without(text),
    url: without(url),
    lastIndex: lastIndex - cut,
  });
}

/** Returns how many characters of an address are left without its end. */
function lengthOf(address: string): number {
  let length = address.length;
  for (;;) {
    const [end = ''] = END.exec(address.slice(Math.max(0, length - LONGEST_ENTITY), length)) ?? [];
    if (end === '') return length;
    length -= end.length;
  }
}
