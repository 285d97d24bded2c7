import { expect } from 'chai';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { withoutPath } from '../../src/git-http/without-path.js';
import { FLUSH, packet } from '../../src/push/pkt-line.js';

const PATH = '/srv/dätä/';
const told = (pieces: readonly string[]) =>
  text(Readable.from(pieces.map((piece) => Buffer.from(piece))).pipe(withoutPath(PATH)));
const words = (said: string) => packet(`\u0002${said}`);

describe("git's answer to a push", () => {
  it('passes as it is, in whatever pieces it comes', async () => {
    const answer = `${words('remote: /srv/other\n')}${packet('\u0001unpack ok\n')}${words('done\n')}${FLUSH}`;
    expect(await told([answer])).to.equal(answer);
    expect(await text(Readable.from(Buffer.from(answer)).pipe(withoutPath(PATH)))).to.equal(answer);
  });

  it('loses the path, wherever it is cut in two', async () => {
    const said = `fatal: '${PATH}01/1.git'\n`;
    for (let cut = 0; cut <= said.length; cut += 1) {
      const answer = await told([words(said.slice(0, cut)) + words(said.slice(cut)) + FLUSH]);
      const heard = answer.split('\u0002').map((piece) => piece.slice(0, -FLUSH.length)); // of the next packet
      expect(heard.join(''), String(cut)).to.equal("fatal: '01/1.git'\n");
    }
  });

  it('passes in full where it ends early', async () => {
    expect(await told([words('at /srv/d'), '00'])).to.equal(`${words('at ')}${words('/srv/d')}00`);
  });
});
