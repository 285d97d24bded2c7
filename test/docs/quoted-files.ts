import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A line that is nothing but a link to a file, and the block of code after it. */
const QUOTATION = /^\[`[^`]+`\]\(([^)]+)\):\n\n```(\w+)\n.*?^```$/gms;

/** A page of `docs/`, each file that it quotes as the file is now. */
export const withQuotedFiles = (page: string, markdown: string): string =>
  markdown.replace(QUOTATION, (quotation, link: string, language: string) => {
    const [introduction] = quotation.split('\n', 1);
    const file = posix.join(posix.dirname(page), link);
    return `${introduction ?? ''}\n\n\`\`\`${language}\n${readFileSync(file, 'utf8')}\`\`\``;
  });
