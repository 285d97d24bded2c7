// The used part of highlight.js; its own types would add those of browsers to every file.
declare const highlighter: {
  getLanguage(name: string): object | undefined;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
};
export default highlighter;
