import type { RemoteOptions, RemoteRefs } from '../port/copies.js';
import type { Parts } from '../parts.js';
import { dropRefs } from '../refs/drop.js';
import { listRefs } from '../refs/list.js';
import { remoteAddress, remoteConfig } from './remote-config.js';
import { remoteRefusal } from './remote-refusal.js';

/** How much of git's output is kept. HEAD comes first; the remote may list any number of refs ending in HEAD after it. */
const HEARD_BYTES = 64 * 1024;
/** How git tells that it left out a ref, because its history is cut off in the remote; it goes on with the others. */
const SHALLOW = /^warning: rejected .* because shallow roots are not allowed/m;
const HEADS_AND_TAGS = ['refs/heads', 'refs/tags'];

/** Fetches the branches and tags of a remote into a repository that has none; returns them. */
export async function fetchRemote(
  parts: Parts,
  path: string,
  url: string,
  { credentials, accepts, maxRefs, signal }: RemoteOptions,
): Promise<RemoteRefs> {
  const address = remoteAddress(url);
  const run = async (...args: string[]) => {
    const { stdin, stdout, ended } = await parts.program.start('transport', path, args, {
      config: remoteConfig(credentials),
      ...(signal && { signal }),
    });
    stdin.end();
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of stdout as AsyncIterable<Buffer>) {
      if (bytes < HEARD_BYTES) pieces.push(piece);
      bytes += piece.length;
    }
    const { code, stderr } = await ended;
    if (code !== 0 || SHALLOW.test(stderr)) throw remoteRefusal(stderr);
    return Buffer.concat(pieces).toString();
  };
  const head = await run('ls-remote', '--symref', '--end-of-options', address, 'HEAD');
  const quietly = ['--quiet', '--force', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
  const refspecs = HEADS_AND_TAGS.map((refs) => `+${refs}/*:${refs}/*`);
  await run('fetch', ...quietly, '--end-of-options', address, ...refspecs);
  signal?.throwIfAborted();
  if (accepts) await dropRefs(parts, path, HEADS_AND_TAGS, accepts);
  const refs = await listRefs(parts, path, HEADS_AND_TAGS, maxRefs);
  const [, branch] = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(head) ?? [];
  return { refs, ...(refs.has(`refs/heads/${branch ?? ''}`) && { defaultBranch: branch ?? '' }) };
}
