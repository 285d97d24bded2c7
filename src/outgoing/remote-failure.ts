/** Why nothing could be had from a remote. */
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

/** A remote could not be cloned or fetched. The message is fit for the user and shows no credentials. */
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
