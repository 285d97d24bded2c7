import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findGitignore, gitignoreNames } from '../../src/templates/gitignore.js';
import { findLabelSet, labelSetNames } from '../../src/templates/label-sets.js';
import { findLicense, licenses, licenseText } from '../../src/templates/licenses.js';
import { checkLabelSet, initialFiles } from '../../src/templates/templates.js';

const content = {
  name: 'it',
  description: 'What it does',
  readme: '',
  license: '',
  gitignores: '',
  owner: 'Ann Other',
  email: 'ann@example.org',
  year: '2026',
};

describe('templates', () => {
  it('make a readme of name and description', () => {
    expect(initialFiles(content)).to.deep.equal([{ path: 'README.md', content: '# it\n\nWhat it does' }]);
    expect(initialFiles({ ...content, readme: 'Default', description: '' })).to.deep.equal([
      { path: 'README.md', content: '# it\n\n' },
    ]);
  });

  it('put several gitignores into one file, each under its name', () => {
    const [, file] = initialFiles({ ...content, gitignores: ' Node, macOS,,Node ' });
    expect(file?.path).to.equal('.gitignore');
    expect(file?.content)
      .to.match(/^# ---> Node\n/)
      .and.to.contain('node_modules/')
      .and.to.contain('\n# ---> macOS\n.DS_Store\n');
    expect(file?.content.match(/# ---> Node/g)).to.have.length(1);
  });

  it('fill in the blanks of a license', () => {
    const textOf = (license: string) => initialFiles({ ...content, license }).at(-1);
    expect(textOf('MIT')).to.have.property('path', 'LICENSE');
    expect(textOf('MIT')?.content).to.contain('Copyright (c) 2026 Ann Other\n');
    expect(textOf('BSD-3-Clause')?.content).to.contain('Copyright (c) 2026 Ann Other');
    for (const license of ['Apache-2.0', 'FSL-1.1-MIT'])
      expect(textOf(license)?.content, license).to.contain('Copyright 2026 Ann Other\n');
    expect(textOf('0BSD')?.content).to.match(/^Copyright \(C\) 2026 by Ann Other \S+@\S+\n/);
    expect(textOf('BSD-3-Clause-Clear')?.content).to.contain('2026 Ann Other\n');
    expect(textOf('GPL-3.0-or-later')?.content).to.match(/^ +it\n +Copyright \(C\) 2026 {2}Ann Other\n/m);
    expect(textOf('MirOS')?.content).to.contain('Copyright 2026 Ann Other ann@example.org\n');
    expect(textOf('OPUBL-1.0')?.content).to.contain('Copyright (c) 2026 by Ann Other.');
    expect(textOf('EPICS')?.content).to.contain('Copyright © 2026 Ann Other.');
    expect(textOf('NASA-1.3')?.content).to.contain('Copyright (c) 2026 United States Government');
    const dollars = initialFiles({ ...content, license: 'MIT', owner: "$& $1 $'" }).at(-1);
    expect(dollars?.content).to.contain("Copyright (c) 2026 $& $1 $'\n");
  });

  it('are refused by names that there are not', () => {
    const refuses = (fields: object) =>
      expect(() => initialFiles({ ...content, ...fields }))
        .to.throw()
        .with.property('kind', 'invalid');
    refuses({ readme: 'Other' });
    for (const odd of ['None', 'node', 'toString', '__proto__', '../Node']) refuses({ gitignores: odd });
    for (const odd of ['None', 'mit', 'toString', '__proto__', '../package']) refuses({ license: odd });
    expect(() => {
      checkLabelSet('toString');
    })
      .to.throw()
      .with.property('kind', 'invalid');
    checkLabelSet('Default');
  });

  it('are listed by name', () => {
    expect(gitignoreNames).to.include.members([
      'Node',
      'Python',
      'Go',
      'Rust',
      'C++',
      'VisualStudio',
      'macOS',
      'JetBrains',
    ]);
    expect(gitignoreNames).to.deep.equal([...gitignoreNames].sort());
    for (const name of gitignoreNames) expect(findGitignore(name), name).to.match(/^\S[^]*[^\n]\n$/);
    expect(licenses.length).to.be.greaterThan(500);
    expect(findLicense('GPL-3.0-only')).to.deep.equal({
      key: 'GPL-3.0-only',
      name: 'GNU General Public License v3.0 only',
    });
    const license = findLicense('MIT');
    expect(license && licenseText(license)).to.contain('<year>');
    expect(labelSetNames).to.deep.equal(['Advanced', 'Default']);
    for (const name of labelSetNames)
      for (const { color, description, name: label } of findLabelSet(name) ?? []) {
        expect(color).to.match(/^[0-9a-f]{6}$/);
        expect(description, label).not.to.equal('');
      }
  });

  it('ignore what they are for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tallyforge-templates-'));
    const ignored = async (name: string, path: string) => {
      const excludes = join(folder, name);
      await writeFile(excludes, findGitignore(name) ?? '');
      const args = ['-c', `core.excludesFile=${excludes}`, 'check-ignore', '--no-index', '--quiet', path];
      return spawnSync('git', args, { cwd: folder }).status === 0;
    };
    try {
      spawnSync('git', ['init', '--quiet'], { cwd: folder });
      expect(await ignored('Node', 'packages/a/node_modules/b/index.js')).to.be.true;
      expect(await ignored('Node', 'src/index.js')).to.be.false;
      expect(await ignored('Python', 'a/__pycache__/b.pyc')).to.be.true;
      expect(await ignored('VisualStudioCode', '.vscode/settings.json')).to.be.false;
      expect(await ignored('VisualStudioCode', '.vscode/other.json')).to.be.true;
      expect(await ignored('Emacs', '#notes.txt#')).to.be.true;
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
