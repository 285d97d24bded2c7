// What is used of highlight.js: its own types would bring those of browsers into every file.
declare const highlighter: {
  getLanguage(name: string): object | undefined;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
};
export default highlighter;
