import { invalid } from '../domain/errors.js';
import { findGitignore } from './gitignore.js';
import { findLabelSet } from './label-sets.js';
import { findLicense, licenseText } from './licenses.js';
import { findReadme } from './readmes.js';

/** What the first commit of a repository is made from: names of templates, '' for none, and the values to fill in. */
export interface InitialContent {
  /** The repository's name. */
  readonly name: string;
  readonly description: string;
  readonly readme: string;
  readonly license: string;
  /** Names, separated by commas. */
  readonly gitignores: string;
  readonly owner: string;
  readonly email: string;
  readonly year: string;
}

/** A file of a first commit: its path from the root of the repository, and its text. */
export interface InitialFile {
  readonly path: string;
  readonly content: string;
}

/** Creates the files of a first commit. Throws if a template does not exist. */
export function initialFiles(content: InitialContent): InitialFile[] {
  const { readme, license, gitignores } = content;
  const files: InitialFile[] = [];

  const writeReadme = findReadme(readme || 'Default');
  if (!writeReadme)
    throw invalid('template.readme_absent', 'Readme', `there is no readme template ${readme}`);
  files.push({ path: 'README.md', content: writeReadme(content) });

  const ignored = gitignores
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const sections = [...new Set(ignored)].map((name) => {
    const source = findGitignore(name);
    if (source === undefined)
      throw invalid('template.gitignore_absent', 'Gitignores', `there is no gitignore template ${name}`);
    return `# ---> ${name}\n${source}`;
  });
  if (sections.length > 0) files.push({ path: '.gitignore', content: sections.join('\n') });

  if (license !== '') {
    const found = findLicense(license);
    if (!found)
      throw invalid('template.license_absent', 'License', `there is no license template ${license}`);
    const { owner, email, year, name } = content;
    files.push({ path: 'LICENSE', content: licenseText(found, { owner, email, year, repository: name }) });
  }
  return files;
}

/** Throws if there is no label set of that name. */
export function checkLabelSet(name: string): void {
  if (!findLabelSet(name))
    throw invalid('template.label_set_absent', 'IssueLabels', `there is no label set ${name}`);
}
