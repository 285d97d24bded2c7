type Readme = (repository: { readonly name: string; readonly description: string }) => string;

/** Byte for byte as those of Forgejo, without an end of the last line: clients compare what they find. */
const readmes = new Map<string, Readme>([
  ['Default', ({ name, description }) => `# ${name}\n\n${description}`],
]);

/** What a readme template makes of a repository; undefined where there is no such template. */
export const findReadme = (name: string): Readme | undefined => readmes.get(name);
