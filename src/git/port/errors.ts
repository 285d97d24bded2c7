/** A failure of git. The message is for the log, not for callers. */
export class GitError extends Error {
  override readonly name: string = 'GitError';
}

/** The git program cannot be run, or is older than `needed`. */
export class GitUnfit extends GitError {
  override readonly name = 'GitUnfit';
  constructor(
    message: string,
    readonly needed: string,
  ) {
    super(message);
  }
}

/** The repository is not on disk. */
export class GitRepositoryMissing extends GitError {
  override readonly name = 'GitRepositoryMissing';
  constructor(readonly id: number) {
    super(`repository ${id} is not on disk`);
  }
}

/** A repository of this id exists already. */
export class GitRepositoryExists extends GitError {
  override readonly name = 'GitRepositoryExists';
  constructor(readonly id: number) {
    super(`repository ${id} is on disk already`);
  }
}

/** Refs cannot be changed, because they are not at the expected hash, or their new value or name is invalid. */
export class GitRefsRefused extends GitError {
  override readonly name: string = 'GitRefsRefused';
}

/** Refs cannot be changed at the moment: the disk is full, or there is a lock, perhaps left by a recent crash. */
export class GitRefsBusy extends GitRefsRefused {
  override readonly name = 'GitRefsBusy';
}

/** git cannot run at the moment: too many callers wait for it, or what starts it was killed. No failure of git itself. */
export class GitBusy extends Error {
  override readonly name = 'GitBusy';
}

/** The path is not allowed, or the requested change is not possible there. */
export class GitPathRefused extends GitError {
  override readonly name = 'GitPathRefused';
  constructor(
    readonly path: string,
    readonly reason: 'invalid' | 'parent-is-no-directory' | 'is-a-directory' | 'absent' | 'flawed',
  ) {
    super(`${reason}: ${path}`);
  }
}

/** A git operation exceeded its limit of time, bytes or memory. */
export class GitLimitExceeded extends GitError {
  override readonly name = 'GitLimitExceeded';
  constructor(
    readonly limit: 'time' | 'bytes' | 'memory',
    message: string,
  ) {
    super(message);
  }
}

/** A remote did not provide what was asked for. */
export class GitRemoteRefused extends GitError {
  override readonly name = 'GitRemoteRefused';
  constructor(
    readonly reason: 'authentication' | 'not-found' | 'unreachable' | 'broken',
    message: string,
  ) {
    super(message);
  }
}
