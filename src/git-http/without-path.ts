import { Transform } from 'node:stream';
import { DIGITS, lengthOf } from '../push/pkt-line.js';

/** The byte behind the digits of a packet with words for a person. */
const WORDS = 2;

/**
 * Passes on the packets of git's answer to a push, but leaves a path out of the words in it: where git fails, it names files
 * by their whole path, and the client is not to learn where they lie. Words come in pieces of any length, so the end of a
 * piece is held back while it may be the beginning of the path.
 */
export function withoutPath(path: string): Transform {
  const secret = Buffer.from(path).toString('latin1');
  let bytes: Buffer = Buffer.alloc(0);
  let held = '';

  /** Takes the packets that are complete. */
  function* packets(): Generator<Buffer> {
    while (bytes.length >= DIGITS) {
      const length = lengthOf(bytes);
      const end = Math.max(length, DIGITS);
      if (!(bytes.length >= end)) return;
      yield bytes.subarray(0, end);
      bytes = bytes.subarray(end);
    }
  }

  function* concealed(packet: Buffer): Generator<Buffer> {
    if (packet[DIGITS] === WORDS) {
      const words = (held + packet.toString('latin1', DIGITS + 1)).replaceAll(secret, '');
      held = endThatBegins(secret, words);
      yield* inPacket(words.slice(0, words.length - held.length));
    } else {
      if (packet.length === DIGITS) yield* rest();
      yield packet;
    }
  }

  function* rest(): Generator<Buffer> {
    yield* inPacket(held);
    held = '';
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes = Buffer.concat([bytes, chunk]);
      for (const packet of packets()) for (const piece of concealed(packet)) this.push(piece);
      done();
    },
    flush(done) {
      for (const piece of rest()) this.push(piece);
      done(null, bytes);
    },
  });
}

/** The longest end of a text that another one begins with. */
function endThatBegins(other: string, text: string): string {
  for (let length = Math.min(other.length, text.length); length > 0; length -= 1)
    if (text.endsWith(other.slice(0, length))) return other.slice(0, length);
  return '';
}

function* inPacket(words: string): Generator<Buffer> {
  if (words === '') return;
  const length = (DIGITS + 1 + words.length).toString(16).padStart(DIGITS, '0');
  yield Buffer.from(`${length}${String.fromCharCode(WORDS)}${words}`, 'latin1');
}
