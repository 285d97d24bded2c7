import { GitRemoteRefused } from '../port/errors.js';

const REASONS: readonly (readonly [GitRemoteRefused['reason'], RegExp])[] = [
  ['authentication', /authentication failed|could not read (username|password)|error: 40[13]/i],
  ['not-found', /not found|error: 404|not valid: is this a git repository/i],
  ['broken', /shallow roots|fsck|index-pack failed|bad object|unpack|invalid|early EOF|protocol error/i],
];

/** Converts git's complaint about a remote to an error with its reason. */
export function remoteRefusal(stderr: string): GitRemoteRefused {
  const [reason] = REASONS.find(([, words]) => words.test(stderr)) ?? ['unreachable' as const];
  return new GitRemoteRefused(reason, stderr.trim());
}
