import { expect } from 'chai';
import { Duplex } from 'node:stream';
import { FLUSH, packet } from '../../src/push/pkt-line.js';
import { Wire, WireBroken } from '../../src/push/wire.js';
import { rejection } from '../support/rejection.js';

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('the wire of a push', () => {
  /** Everything in single bytes, as a slow pipe may bring it. */
  const wireOf = (text: string) =>
    new Wire(Duplex.from(Array.from(Buffer.from(text), (byte) => Buffer.of(byte))));

  it('gives lines, then packets, from one stream', async () => {
    const wire = wireOf(
      `a path\n0\none\ntwö\n\n${packet('version=1\0atomic\n')}${FLUSH}${packet('x')}0004${FLUSH}`,
    );
    expect(await wire.line()).to.equal('a path');
    expect(await wire.line()).to.equal('0');
    expect(await collected(wire.lines())).to.deep.equal(['one', 'twö']);
    expect(await wire.packet()).to.equal('version=1\0atomic');
    expect(await wire.packet()).to.equal(undefined);
    expect(await collected(wire.packets())).to.deep.equal(['x', '']);
    expect(await wire.line()).to.equal(undefined);
  });

  it('takes a stream that ends too early, and what is no packet, for broken', async () => {
    expect(await rejection(collected(wireOf('one\n').lines()))).to.be.instanceOf(WireBroken);
    expect(await rejection(wireOf('0009abc').packet())).to.be.instanceOf(WireBroken);
    expect(await rejection(wireOf('zzzz').packet())).to.be.instanceOf(WireBroken);
    expect(await rejection(wireOf('0001').packet())).to.be.instanceOf(WireBroken);
    expect(await rejection(wireOf('a'.repeat(70_000)).line())).to.be.instanceOf(WireBroken);
  });

  it('gives back the bytes of what is not UTF-8', async () => {
    const written: Buffer[] = [];
    const stream = new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _, done) {
        written.push(chunk);
        done();
      },
    });
    const names = ['caf\xe9', 'caf\xe8', 'caf\xc3\xa9', '\xf0\x9f\x90\x99\xed\xb2\x80'].map((name) =>
      Buffer.from(name, 'latin1'),
    );
    stream.push(Buffer.concat(names.flatMap((name) => [name, Buffer.from('\n')])));
    const wire = new Wire(stream);
    const lines: string[] = [];
    for (const name of names) {
      const line = (await wire.line()) ?? '';
      lines.push(line);
      wire.send(packet(`ng ${line} is “no” name 🐙`));
      const end = Buffer.from(' is “no” name 🐙');
      const length = (4 + 3 + name.length + end.length).toString(16).padStart(4, '0');
      expect(written.pop()).to.deep.equal(Buffer.concat([Buffer.from(`${length}ng `), name, end]));
    }
    expect(new Set(lines)).to.have.property('size', names.length);
    expect(lines[2]).to.equal('café');
  });

  it('counts a packet in bytes, itself included', () => {
    expect(packet('ö\n')).to.equal('0007ö\n');
    expect(() => packet('a'.repeat(65_517))).to.throw(RangeError);
  });
});
