/** The reason why a remote could not be read. */
export type RemoteFailureReason =
  | 'address-refused'
  | 'unreachable'
  | 'credentials-refused'
  | 'not-found'
  | 'redirect-refused'
  | 'not-git'
  | 'broken'
  | 'too-slow'
  | 'too-large';

/** A remote could not be cloned or fetched. The message may be shown to the user and contains no credentials. */
export class RemoteFailure extends Error {
  override readonly name = 'RemoteFailure';
  constructor(
    readonly reason: RemoteFailureReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The server was stopped while it read a remote. This says nothing of the remote, and the same work may succeed later. */
export class ServerStopped extends Error {
  override readonly name = 'ServerStopped';
}
