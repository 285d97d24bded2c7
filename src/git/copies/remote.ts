import { join } from 'node:path';
import { bytesBelow } from '../disk/size.js';
import { GitLimitExceeded } from '../port/errors.js';
import type { RemoteOptions, RemoteRefs } from '../port/copies.js';
import type { Parts } from '../parts.js';
import { dropRefs } from '../refs/drop.js';
import { listRefs } from '../refs/list.js';
import { remoteAddress, remoteConfig } from './remote-config.js';
import { remoteRefusal } from './remote-refusal.js';

const WITHIN_MS = 10 * 60 * 1000;

/** How often the received bytes are counted. */
const COUNT_EVERY_MS = 500;

/** How much of git's output is kept. HEAD comes first; the remote may list any number of refs ending in HEAD after it. */
const HEARD_BYTES = 64 * 1024;
const HEADS_AND_TAGS = ['refs/heads', 'refs/tags'];

/** Fetches the branches and tags of a remote into a repository that has none; returns them. */
export async function fetchRemote(
  parts: Parts,
  path: string,
  url: string,
  options: RemoteOptions,
): Promise<RemoteRefs> {
  const address = remoteAddress(url, options);
  const watch = watchBytes(join(path, 'objects'), options);
  const overdue = AbortSignal.timeout(options.timeoutMs ?? WITHIN_MS);
  const signal = AbortSignal.any([overdue, watch.tooLarge, ...(options.signal ? [options.signal] : [])]);
  const run = async (...args: string[]) => {
    const { stdin, stdout, ended } = await parts.program.start('transport', path, args, {
      config: remoteConfig(options),
      signal,
    });
    stdin.end();
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of stdout as AsyncIterable<Buffer>) {
      if (bytes < HEARD_BYTES) pieces.push(piece);
      bytes += piece.length;
    }
    const { code, stderr } = await ended;
    if (code !== 0) throw remoteRefusal(stderr);
    return Buffer.concat(pieces).toString();
  };
  try {
    const head = await run('ls-remote', '--symref', '--end-of-options', address, 'HEAD');
    const quietly = ['--quiet', '--force', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
    const refspecs = HEADS_AND_TAGS.map((refs) => `+${refs}/*:${refs}/*`);
    await run('fetch', ...quietly, '--end-of-options', address, ...refspecs);
    await watch.count();
    signal.throwIfAborted();
    if (options.accepts) await dropRefs(parts, path, HEADS_AND_TAGS, options.accepts);
    const refs = await listRefs(parts, path, HEADS_AND_TAGS, options.maxRefs);
    const [, branch] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(head) ?? [];
    return { refs, ...(refs.has(`refs/heads/${branch ?? ''}`) && { defaultBranch: branch ?? '' }) };
  } catch (error) {
    if (overdue.aborted) throw new GitLimitExceeded('time', 'the other server took too long');
    throw error;
  } finally {
    watch.stop();
  }
}

/** Counts the received bytes regularly; its signal is aborted when they exceed the limit. */
function watchBytes(folder: string, { maxBytes, onProgress }: RemoteOptions) {
  const tooLarge = new AbortController();
  const count = async () => {
    const bytes = await bytesBelow(folder);
    onProgress?.(bytes);
    if (maxBytes !== undefined && bytes > maxBytes)
      tooLarge.abort(new GitLimitExceeded('bytes', `the other repository has more than ${maxBytes} bytes`));
  };
  const timer = setInterval(() => void count().catch(() => undefined), COUNT_EVERY_MS);
  return {
    tooLarge: tooLarge.signal,
    count,
    stop() {
      clearInterval(timer);
    },
  };
}
