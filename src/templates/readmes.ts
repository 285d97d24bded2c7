type Readme = (repository: { readonly name: string; readonly description: string }) => string;

/** The same bytes as Forgejo's, without a final line break, because clients compare them. */
const readmes = new Map<string, Readme>([
  ['Default', ({ name, description }) => `# ${name}\n\n${description}`],
]);

/** Returns the readme template of that name, a function of the repository; undefined if there is none. */
export const findReadme = (name: string): Readme | undefined => readmes.get(name);
