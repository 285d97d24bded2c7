/** The reason why a remote could not be read: `stopped` means that this server was, and says nothing of the remote. */
export type RemoteFailureReason =
  | 'address-refused'
  | 'unreachable'
  | 'credentials-refused'
  | 'not-found'
  | 'redirect-refused'
  | 'not-git'
  | 'broken'
  | 'too-slow'
  | 'too-large'
  | 'stopped';

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
