import { anybody } from '../policy.js';
import type { Rows } from '../row.js';

export const markdownRows: Rows = {
  renderMarkdown: { policy: anybody, body: (Text) => ({ Text }) },
  renderMarkdownRaw: { policy: anybody, body: (text) => text },
};
