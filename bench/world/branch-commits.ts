import { createHash } from 'node:crypto';
import type { CommitFacts } from '../../src/git/port/objects.js';
import type { Plan } from './plan.js';
import { tipOf } from './repositories.js';
import { after } from './story.js';
import { textOf } from './words.js';

/** What the cache keeps of the commits at the tips of the many branches, whose objects are nowhere. */
export function branchCommits({ size, reader }: Plan): CommitFacts[] {
  return Array.from({ length: size.branches }, (_, number) => {
    const at = `${after(number).slice(0, 19)}Z`;
    const signature = { name: reader.name, email: `${reader.name}@example.org`, at };
    return {
      hash: tipOf(number),
      tree: createHash('sha1').update(`tree ${number}`).digest('hex'),
      parents: number === 0 ? [] : [tipOf(number - 1)],
      author: signature,
      committer: signature,
      message: textOf(number, 8),
    };
  });
}
