import type { MarkdownIt } from 'markdown-it';

type Match = NonNullable<ReturnType<MarkdownIt['linkify']['match']>>[number];

/** Leaves apparent mail addresses as text if they stand in quotes, in a path or in the address of a remote. */
export function mailAddresses({ linkify }: MarkdownIt): void {
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
