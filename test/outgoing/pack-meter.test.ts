import { expect } from 'chai';
import { PackMeter } from '../../src/outgoing/pack-meter.js';
import { FLUSH, packet } from '../../src/push/pkt-line.js';

const PACK = `PACK${'\u0000p\n'.repeat(100)}`;

/** Counts an answer that arrives in pieces of `size` bytes. */
function packOf(answer: string, size: number): number {
  const meter = new PackMeter();
  const bytes = Buffer.from(answer, 'latin1');
  let counted = 0;
  for (let at = 0; at < bytes.length; at += size) counted += meter.count(bytes.subarray(at, at + size));
  return counted;
}

describe('the meter of packs', () => {
  const answers: Readonly<Record<string, readonly [answer: string, pack: number]>> = {
    'a list of refs': [`${packet('0123456789 HEAD\n')}${packet('0123456789 refs/heads/main\n')}${FLUSH}`, 0],
    'an answer of version 0 or 1': [
      `${packet('NAK\n')}${packet(`\u0001${PACK}`)}${packet('\u0002counting')}${packet(`\u0001${PACK}`)}${FLUSH}`,
      2 * PACK.length,
    ],
    'an answer of version 2': [
      `${packet('acknowledgments\n')}${packet('NAK\n')}0001${packet('packfile\n')}${packet(`\u0001${PACK}`)}0002`,
      PACK.length,
    ],
    'a pack without side bands': [`${packet('NAK\n')}${PACK}`, PACK.length],
    'an error': [`${packet('packfile\n')}${packet('\u0003not our ref')}`, 0],
    'an empty packet': [`0004${packet(`\u0001${PACK}`)}`, PACK.length],
    nothing: ['', 0],
  };

  for (const [what, [answer, pack]] of Object.entries(answers))
    it(`counts of ${what} what is a pack, however it is cut`, () => {
      for (const size of [1, 3, 7, 10_000]) expect(packOf(answer, size), `${size}`).equals(pack);
    });
});
