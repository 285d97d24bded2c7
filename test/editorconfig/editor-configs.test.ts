import { expect } from 'chai';
import { EditorConfigs, MAX_EDITORCONFIG_BYTES } from '../../src/editorconfig/editor-configs.js';
import type { EditorConfigProperties } from '../../src/editorconfig/properties.js';
import { rejection } from '../support/rejection.js';

const file = (hash: string, text: string, client = 'ann') => ({ hash, contents: Buffer.from(text), client });

describe('the evaluation of .editorconfig files', () => {
  let configs: EditorConfigs;
  beforeEach(() => {
    configs = new EditorConfigs({ deadline: 4_000 });
  });
  afterEach(() => configs.close());

  it('answers many at once, each its own', async () => {
    configs = new EditorConfigs({ deadline: 60_000 });
    const sizes = await Promise.all(
      [2, 3, 4].map((size) => configs.propertiesFor(file(`${size}`, `[*]\nindent_size = ${size}`), 'a')),
    );
    expect(sizes.map((properties) => properties.indent_size)).to.deep.equal(['2', '3', '4']);
  });

  it('gives up on patterns made to take forever, and goes on with others', async () => {
    const hostile = file('1', `[${'*a'.repeat(30)}b]\nindent_size = 4`);
    expect(await rejection(configs.propertiesFor(hostile, 'a'.repeat(60) + 'c'))).to.have.property(
      'code',
      'editorconfig.too_hard',
    );
    // On a slow machine even this may take too long at first.
    let properties: EditorConfigProperties | undefined;
    while (properties === undefined)
      properties = await configs.propertiesFor(file('2', '[*]\ncharset = utf-8'), 'a').catch(() => undefined);
    expect(properties).to.deep.equal({ charset: 'utf-8' });
  });

  it('takes few of one client at a time, and has clients take turns', async () => {
    configs = new EditorConfigs({ deadline: 60_000 });
    const order: string[] = [];
    const ask = async (client: string, nth: number) => {
      await configs.propertiesFor(file(`${client} ${nth}`, '[*]\ncharset = utf-8', client), 'a');
      order.push(`${client} ${nth}`);
    };
    const asked = Array.from({ length: 10 }, (_, nth) => ask('ann', nth));
    expect(await rejection(ask('ann', 10))).to.have.property('code', 'editorconfig.busy');
    asked.push(ask('bob', 0));
    await Promise.all(asked);
    // The first is under way, and of those that wait Bob's only has one of Ann's before it.
    expect(order.slice(0, 3)).to.deep.equal(['ann 0', 'ann 1', 'bob 0']);
    await ask('ann', 10);
  });

  it('reads any file in little memory: a thread that takes much at once ends the process', async () => {
    configs = new EditorConfigs({ deadline: 60_000 });
    const filled = (line: string) => line.repeat(MAX_EDITORCONFIG_BYTES / line.length);
    const empty = `[*]\ncharset = utf-8\n${'\n'.repeat(MAX_EDITORCONFIG_BYTES)}`;
    expect(await configs.propertiesFor(file('1', empty), 'a')).to.deep.equal({ charset: 'utf-8' });
    const junk = `[*]\ncharset = utf-8\n${'x'.repeat(MAX_EDITORCONFIG_BYTES)}\n${filled('# \n')}`;
    expect(await configs.propertiesFor(file('2', junk), 'a')).to.deep.equal({ charset: 'utf-8' });
    for (const [hash, hostile] of ['a=b\n', '[*]\n', '*('].entries()) {
      const text = `[*${filled(hostile)}]\ncharset = utf-8`;
      expect(await rejection(configs.propertiesFor(file(`3${hash}`, text), 'a'))).to.have.property(
        'code',
        'editorconfig.too_hard',
      );
    }
  });

  it('gives up on patterns made to fill the memory', async () => {
    const hostile = file('1', `[${'{a,b}'.repeat(60)}]\nindent_size = 4\n`.repeat(400));
    expect(await rejection(configs.propertiesFor(hostile, 'a'))).to.have.property(
      'code',
      'editorconfig.too_hard',
    );
  });
});
