import { expect } from 'chai';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterSamePack } from '../../src/push/same-pack.js';
import { dataDir } from '../support/data-dir.js';

describe('a push of the same pack', () => {
  let data: Awaited<ReturnType<typeof dataDir>>;
  before(async () => {
    data = await dataDir();
  });
  after(() => data.remove());

  /** A quarantine with a pack of this name. */
  async function quarantine(name: string, pack: string): Promise<string> {
    const path = join(data.path, name);
    await mkdir(join(path, 'pack'), { recursive: true });
    for (const kind of ['pack', 'idx', 'keep'])
      await writeFile(join(path, 'pack', `pack-${pack}.${kind}`), name);
    return path;
  }

  /** A push whose program ends by `end` or `fail`. */
  function push(repositoryId: number, quarantinePath: string) {
    let [end, fail] = [(): void => undefined, (): void => undefined];
    const ended = new Promise<void>((resolve, reject) => {
      end = resolve;
      fail = () => {
        reject(new Error('git was killed'));
      };
    });
    let isIn = false;
    const admitted = afterSamePack(repositoryId, quarantinePath, ended).then(() => (isIn = true));
    return { end, fail, admitted, isIn: () => isIn };
  }

  it('waits until the program of the one before has ended, however that ends', async () => {
    const [first, second, third] = await Promise.all(
      ['one', 'two', 'three'].map((name) => quarantine(name, 'same')),
    );
    const one = push(1, first ?? '');
    await one.admitted;
    const two = push(1, second ?? '');
    const three = push(1, third ?? '');
    await sleep(50);
    expect([two.isIn(), three.isIn()]).to.deep.equal([false, false]);
    one.fail();
    await Promise.race([two.admitted, three.admitted]);
    await sleep(50);
    expect([two.isIn(), three.isIn()].filter(Boolean)).to.have.length(1);
    for (const each of [two, three]) each.end();
    await Promise.all([two.admitted, three.admitted]);
  });

  it('waits for no other pack, no other repository, and not where it has none', async () => {
    const held = push(2, await quarantine('held', 'held'));
    await held.admitted;
    await push(2, await quarantine('other', 'other')).admitted;
    await push(3, await quarantine('elsewhere', 'held')).admitted;
    await push(2, '').admitted;
    held.end();
  });
});
