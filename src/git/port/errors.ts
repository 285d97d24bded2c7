/** Something that git cannot do for us; what it says is for the log, not for callers. */
export class GitError extends Error {
  override readonly name: string = 'GitError';
}

/** There is no such repository on disk. */
export class GitRepositoryMissing extends GitError {
  override readonly name = 'GitRepositoryMissing';
  constructor(readonly id: number) {
    super(`repository ${id} is not on disk`);
  }
}

/** There is one already. */
export class GitRepositoryExists extends GitError {
  override readonly name = 'GitRepositoryExists';
  constructor(readonly id: number) {
    super(`repository ${id} is on disk already`);
  }
}

/** Refs are not where they were said to be, or cannot be what they were to become. */
export class GitRefsRefused extends GitError {
  override readonly name: string = 'GitRefsRefused';
}

/** Refs could be moved, but not now: the disk is full, or a lock lies there that a crash has just left. */
export class GitRefsBusy extends GitRefsRefused {
  override readonly name = 'GitRefsBusy';
}

/** So many wait for git already that nobody else may; it is not git that failed. */
export class GitBusy extends Error {
  override readonly name = 'GitBusy';
}

/** No file can have this path, or not the change that was asked for. */
export class GitPathRefused extends GitError {
  override readonly name = 'GitPathRefused';
  constructor(
    readonly path: string,
    readonly reason: 'invalid' | 'parent-is-no-directory' | 'is-a-directory' | 'absent' | 'flawed',
  ) {
    super(`${reason}: ${path}`);
  }
}

/** Took longer, or more memory or disk, than is allowed. */
export class GitLimitExceeded extends GitError {
  override readonly name = 'GitLimitExceeded';
  constructor(
    readonly limit: 'time' | 'bytes' | 'memory',
    message: string,
  ) {
    super(message);
  }
}

/** Another server did not give what was asked for. */
export class GitRemoteRefused extends GitError {
  override readonly name = 'GitRemoteRefused';
  constructor(
    readonly reason: 'authentication' | 'not-found' | 'unreachable' | 'broken',
    message: string,
  ) {
    super(message);
  }
}
