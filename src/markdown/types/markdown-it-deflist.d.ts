declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it';
  const definitionLists: (parser: MarkdownIt) => void;
  export default definitionLists;
}
