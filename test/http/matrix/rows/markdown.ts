import { anybody, anybodyHere } from '../policy.js';
import type { Row, Rows } from '../row.js';
import { repository } from './repositories.js';

const fields: Row['body'] = (Text) => ({ Text });
const source: Row['body'] = (text) => text;

export const markdownRows: Rows = {
  renderMarkdown: { policy: anybody, body: fields },
  renderMarkdownRaw: { policy: anybody, body: source },
  renderMarkup: { policy: anybody, body: fields },
  repoRenderMarkdown: repository({ policy: anybodyHere, body: fields }),
  repoRenderMarkdownRaw: repository({ policy: anybodyHere, body: source }),
};
