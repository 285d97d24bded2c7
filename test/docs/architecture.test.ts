import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What all folders but the domain may use. */
const COMMON = ['concurrency', 'database', 'domain', 'files', 'logging', 'values'];

describe('docs/architecture.md', () => {
  const [, tree = ''] = readFileSync('docs/architecture.md', 'utf8').split(/^## (?:The tree|Promises)$/m);
  const told = Array.from(
    tree.matchAll(/^\| (`(?:src\/|projections).+?) +\|.+\| (.*?) *\|$/gm),
    ([, folders = '', leansOn = '']) => ({
      folders: folders.replaceAll('`', '').split(', '),
      leansOn: leansOn.replaceAll(/ \(.+?\)/g, '').split(', '),
    }),
  );

  it('tells of every folder of the sources', () => {
    const folders = readdirSync('src', { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [`src/${entry.name}`] : [],
    );
    expect(told.flatMap((row) => row.folders)).to.have.members([...folders, 'projections']);
  });

  for (const { folders, leansOn } of told) {
    if (leansOn[0]?.startsWith('everything')) continue;
    it(`says what is imported by ${folders.join(' and ')}`, () => {
      const common = folders.includes('src/domain') ? ['values'] : COMMON;
      const unsaid = new Set([...folders.map((folder) => folder.replace('src/', '')), ...common]);
      const found = new Set(folders.flatMap(importedBy).filter((name) => !unsaid.has(name)));
      expect([...found]).to.have.members(leansOn.filter((name) => name !== '' && name !== 'nothing'));
    });
  }
});

describe('the threats in docs/architecture.md', () => {
  const [, section = ''] = readFileSync('docs/architecture.md', 'utf8').split(
    /^## (?:What hostile clients try|The way of a webhook)$/m,
  );
  const rows = Array.from(
    section.matchAll(/^\| (?!threat|-)(.+?) +\| `(.+?)` +\| (.+?) +\|$/gm),
    ([, threat = '', file = '', title = '']) => ({ threat, file, title }),
  );

  it('are told with a test each', () => {
    expect(rows).to.have.length(section.split('\n').filter((line) => line.startsWith('|')).length - 2);
    expect(rows.length).to.be.greaterThan(20);
  });

  for (const { threat, file, title } of rows)
    it(`have the test that is named: ${threat} (${title})`, () => {
      expect(titlesIn(`test/${file}.test.ts`).some((pattern) => pattern.test(title))).to.equal(true);
    });
});

/** The titles of the tests in a file; what is put into one may be anything. */
function titlesIn(path: string): RegExp[] {
  const titles = readFileSync(path, 'utf8').matchAll(/\bit\(\s*(?:'([^']+)'|`([^`]+)`)/g);
  return Array.from(titles, ([, plain = '', made = plain]) => {
    const fixed = made.split(/\$\{[^}]*\}/);
    return fixed.join('') === '' ? /^$/ : new RegExp(`^${fixed.map(escaped).join('.+')}$`);
  });
}

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** The folders from which a folder imports, save into the programs that start processes. */
function importedBy(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('main.ts'))
    .map((file) => join(folder, file))
    .flatMap((file) =>
      Array.from(readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\..+?)'/g), ([, path = '']) =>
        join(dirname(file), path),
      ),
    )
    .flatMap(folderOf);
}

/** The folder that a path lies in; none where it stands directly in `src`. */
function folderOf(path: string): string[] {
  const [top = '', folder = '', file] = path.split('/');
  if (top !== 'src') return [top];
  return file === undefined ? [] : [folder];
}
