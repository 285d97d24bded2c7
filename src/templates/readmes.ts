type Readme = (repository: { readonly name: string; readonly description: string }) => string;

const readmes = new Map<string, Readme>([
  ['Default', ({ name, description }) => `# ${name}\n${description === '' ? '' : `\n${description}\n`}`],
]);

/** What a readme template makes of a repository; undefined where there is no such template. */
export const findReadme = (name: string): Readme | undefined => readmes.get(name);
