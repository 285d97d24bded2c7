import { expect } from 'chai';
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { mock } from 'node:test';
import { limitSlowness } from '../../../src/http/connections/slowness.js';

const EVERY_MS = 1_000;

describe('the limit of slowness', () => {
  const server = new EventEmitter() as Server;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => {
    server.emit('close');
    mock.timers.reset();
  });

  /** Whether a client is cut off by the last of these looks, at each of which it has taken and left so many bytes. */
  function isCutOff(...looks: readonly (readonly [taken: number, left: number])[]): boolean {
    let cuts = 0;
    const socket = { destroy: () => (cuts += 1) };
    limitSlowness(server, new Set([socket as unknown as Socket]), EVERY_MS);
    for (const [taken, left] of looks) {
      expect(cuts).to.equal(0);
      Object.assign(socket, { _handle: { bytesWritten: taken + left, writeQueueSize: left } });
      mock.timers.tick(EVERY_MS);
    }
    return cuts > 0;
  }

  it('cuts off who took hardly anything between two looks', () => {
    expect(isCutOff([0, 1], [65_535, 1])).to.equal(true);
    expect(isCutOff([0, 1], [65_536, 1], [131_071, 1])).to.equal(true);
  });

  it('cuts off nobody else', () => {
    expect(isCutOff([0, 1])).to.equal(false);
    expect(isCutOff([0, 1], [65_536, 1])).to.equal(false);
    expect(isCutOff([0, 1], [1, 0], [1, 1])).to.equal(false);
  });
});
