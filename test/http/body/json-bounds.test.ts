import { expect } from 'chai';
import { exceeded } from '../../../src/http/body/json-bounds.js';
import { startApi, type TestApi } from '../../support/api.js';

describe('the bounds of JSON', () => {
  const bounds = { levels: 3, values: 5 };

  it('are on levels, and on values in lists and objects; what stands in texts does not count', () => {
    for (const within of ['[[[]]]', '[1,2,3,4]', '{"a":1,"b":{"c":1}}', '"[[[[,,,,,"', '["",",,,,,,"]', '1'])
      expect(exceeded(within, bounds), within).to.equal(undefined);
    for (const escapes of ['\\', '\\\\\\'])
      expect(exceeded(`["${escapes}",,,,,,"]`, bounds), escapes).to.equal(undefined);
    expect(exceeded('[[],{},[]]', { levels: 2, values: 7 })).to.equal(undefined);
    expect(exceeded('[[[[', bounds)).to.equal('levels');
    expect(exceeded('[[[]]]', { levels: 3, values: 3 })).to.equal('values');
    for (const many of ['[1,2,3,4,5]', '[[],[],[]]', '{"a":1,"b":{"c":1,"d":1,"e":1}}'])
      expect(exceeded(many, bounds), many).to.equal('values');
  });

  describe('of a body', () => {
    let api: TestApi;
    before(async () => {
      api = await startApi();
    });
    after(() => api.stop());

    it('keep a list of millions in a field that takes texts from holding up the others', async () => {
      await api.admin.post('/orgs', { username: 'of-many' });
      const team = (units: number) => ({ name: 'many', units: new Array<number>(units).fill(1) });
      expect(await api.admin.post('/orgs/of-many/teams', team(99_990))).to.include({ status: 422 });
      expect(await api.admin.post('/orgs/of-many/teams', team(3_000_000))).to.include({
        status: 422,
        message: 'the body holds over 100000 values',
      });
    });

    const part = (name: string) => `--b\r\na: ;name=${name}\r\n\r\na\r\n`;
    for (const [type, formOf] of [
      ['application/x-www-form-urlencoded', (more: number) => `Text=a${'&a'.repeat(more)}`],
      ['multipart/form-data; boundary=b', (more: number) => `${part('Text')}${part('a').repeat(more)}--b--`],
    ] as const)
      it(`are those of ${type}, too, which is looked at before anybody has signed in`, async () => {
        const render = (more: number) =>
          api.anonymous.post('/markdown', formOf(more), { 'content-type': type });
        expect(await render(99_999)).to.include({ status: 200 });
        for (const more of [100_000, 300_000])
          expect(await render(more)).to.include({
            status: 422,
            message: 'the body holds over 100000 values',
          });
      });
  });
});
