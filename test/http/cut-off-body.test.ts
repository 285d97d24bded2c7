import { expect } from 'chai';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { readBody } from '../../src/http/body.js';
import type { Context } from '../../src/http/context.js';
import { Refused } from '../../src/http/refused.js';
import { rejection } from '../support/rejection.js';

describe('a body whose client has hung up', () => {
  it('is refused as one that was cut off, and is no failure of the server', async () => {
    const req = new IncomingMessage(new Socket());
    req.destroy();
    const refusal = await rejection(readBody({ req, state: {} } as unknown as Context, 1_000));
    expect(refusal).to.be.instanceOf(Refused).and.to.have.property('status', 400);
  });
});
