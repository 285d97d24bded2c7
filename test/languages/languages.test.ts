import { expect } from 'chai';
import type { TreeEntry } from '../../src/git/port/objects.js';
import { knownLanguages } from '../../src/languages/known-languages.js';
import { languagesOf } from '../../src/languages/languages-of.js';

describe('the languages of a repository', () => {
  const names: readonly (readonly [string, string | undefined])[] = [
    ['a.ts', 'TypeScript'],
    ['a.tsx', 'TypeScript'],
    ['a.d.ts', 'TypeScript'],
    ['A.JS', 'JavaScript'],
    ['a.rs', 'Rust'],
    ['a.h', 'C'],
    ['a.cs', 'C#'],
    ['a.php', 'PHP'],
    ['a.html', 'HTML'],
    ['Makefile', 'Makefile'],
    ['Dockerfile', 'Dockerfile'],
    ['README.md', undefined],
    ['package.json', undefined],
    ['a', undefined],
  ];
  for (const [name, language] of names)
    it(`tell ${name} as ${String(language)}`, async () =>
      expect((await knownLanguages()).languageOf(name)).to.equal(language));

  it('count the bytes of files of its own, most first', async () => {
    const file = (path: string, size: number, mode: TreeEntry['mode'] = '100644') =>
      ({ path, size, mode, type: 'blob', hash: '' }) as const;
    const entries = [
      file('a.py', 5),
      file('src/a.ts', 7),
      file('src/b.ts', 8),
      file('vendor/a.go', 100),
      file('x/node_modules/a.js', 100),
      file('a.min.js', 100),
      file('.config/a.rb', 100),
      file('empty.c', 0),
      file('link.c', 9, '120000'),
    ];
    const git = { tree: () => Promise.resolve({ hash: '', entries, total: entries.length }) };
    const sizes = await languagesOf(git, 1, 'a'.repeat(40));
    expect(Object.entries(sizes)).to.deep.equal([
      ['TypeScript', 15],
      ['Python', 5],
    ]);
  });

  it('are none where git has the commit not, which says nothing of a fork that has it', async () => {
    const commit = 'b'.repeat(40);
    expect(await languagesOf({ tree: () => Promise.resolve(undefined) }, 1, commit)).to.deep.equal({});
    const entries = [{ path: 'a.ts', size: 7, mode: '100644', type: 'blob', hash: '' }] as const;
    const git = { tree: () => Promise.resolve({ hash: '', entries, total: 1 }) };
    expect(await languagesOf(git, 2, commit)).to.deep.equal({ TypeScript: 7 });
  });
});
