import type { ServerWritableStream } from '@grpc/grpc-js';
import { streams } from './protocol.js';

export type ReadRequest = InstanceType<typeof streams.ReadReq>;
export type ReadResponse = InstanceType<typeof streams.ReadResp>;
export type ReadCall = ServerWritableStream<ReadRequest, ReadResponse>;
export type ReadOptions = InstanceType<typeof streams.ReadReq.Options>;

/** Writes at the pace of the reader; false once the call is over. */
export async function write(call: ReadCall, response: ReadResponse): Promise<boolean> {
  if (call.cancelled || call.destroyed) return false;
  if (call.write(response)) return true;
  await new Promise<void>((resolve) => {
    const done = () => {
      call.off('drain', done).off('cancelled', done);
      resolve();
    };
    call.on('drain', done).on('cancelled', done);
  });
  return !call.cancelled;
}
