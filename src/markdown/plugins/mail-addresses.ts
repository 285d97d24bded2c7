import type { MarkdownIt } from 'markdown-it';

type Match = NonNullable<ReturnType<MarkdownIt['linkify']['match']>>[number];

/** Leaves as text what looks like a mail address but stands in quotes, in a path or in the address of a remote. */
export function mailAddresses({ linkify }: MarkdownIt): void {
  const match = linkify.match.bind(linkify);
  linkify.match = (text) => (match(text) ?? []).filter((found) => !isMail(found) || isAddress(text, found));
}

const isMail = ({ schema, raw }: Match): boolean => schema === 'mailto:' && !raw.startsWith('mailto:');

/** The last part of its host has two characters at least. */
const ADDRESS = /^[^/]+\.[^.@]{2,}$/;

const isAddress = (text: string, { index, lastIndex, raw }: Match): boolean =>
  ADDRESS.test(raw) &&
  !/["'/]/.test(text.charAt(index - 1)) &&
  !/^(?:["'/]|:\S)/.test(text.slice(lastIndex, lastIndex + 2));
