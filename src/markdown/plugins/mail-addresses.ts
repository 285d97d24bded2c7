import type { MarkdownIt } from 'markdown-it';

type Match = NonNullable<ReturnType<MarkdownIt['linkify']['match']>>[number];

/**
 * Finds mail addresses in square brackets as well, and leaves apparent ones as text if they stand in quotes, in a path or
 * in the address of a remote.
 */
export function mailAddresses({ linkify }: MarkdownIt): void {
  const { re } = linkify;
  const name = new RegExp(re.get_mail_name_validator().source.replace('(?:^|', String.raw`(?:^|\[|`));
  re.get_mail_name_validator = () => name;
  const match = linkify.match.bind(linkify);
  linkify.match = (text) => (match(text) ?? []).filter((found) => !isMail(found) || isAddress(text, found));
}

const isMail = ({ schema, raw }: Match): boolean => schema === 'mailto:' && !raw.startsWith('mailto:');

/** The last label of the host has at least two characters. */
const ADDRESS = /^[^/]+\.[^.@]{2,}$/;

const isAddress = (text: string, { index, lastIndex, raw }: Match): boolean =>
  ADDRESS.test(raw) &&
  !/["'/]/.test(text.charAt(index - 1)) &&
  !/^(?:["'/]|:\S)/.test(text.slice(lastIndex, lastIndex + 2));
