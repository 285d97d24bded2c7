import { expect } from 'chai';
import type { FilesOptions, FileSize } from '../../src/git/port/objects.js';
import { knownLanguages } from '../../src/languages/known-languages.js';
import { languagesOf } from '../../src/languages/languages-of.js';
import { processorTime } from '../support/processor-time.js';

const gitWith = (files: readonly FileSize[]) => ({
  files: (_id: number, _commit: string, { wanted }: FilesOptions) =>
    Promise.resolve(files.filter(({ path }) => wanted(path))),
});

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

  it('are told by the end of a name alone, however many dots it has', async () => {
    const { languageOf } = await knownLanguages();
    const taken = await processorTime(() => {
      for (let nth = 0; nth < 1_000; nth++)
        expect(languageOf(`${'a.'.repeat(2_000)}${nth}.d.ts`)).to.equal('TypeScript');
    });
    expect(taken).to.be.below(5_000);
  });

  it('count the bytes of files of its own, most first', async () => {
    const git = gitWith([
      { path: 'a.py', size: 5 },
      { path: 'src/a.ts', size: 7 },
      { path: 'src/b.ts', size: 8 },
      { path: 'vendor/a.go', size: 100 },
      { path: 'x/node_modules/a.js', size: 100 },
      { path: 'a.min.js', size: 100 },
      { path: '.config/a.rb', size: 100 },
      { path: 'README.md', size: 100 },
      { path: 'empty.c', size: 0 },
    ]);
    const sizes = await languagesOf(git, 1, 'a'.repeat(40));
    expect(Object.entries(sizes)).to.deep.equal([
      ['TypeScript', 15],
      ['Python', 5],
    ]);
  });

  it('are none where git has the commit not, which says nothing of a fork that has it', async () => {
    const commit = 'b'.repeat(40);
    expect(await languagesOf({ files: () => Promise.resolve(undefined) }, 1, commit)).to.deep.equal({});
    const git = gitWith([{ path: 'a.ts', size: 7 }]);
    expect(await languagesOf(git, 2, commit)).to.deep.equal({ TypeScript: 7 });
  });
});
