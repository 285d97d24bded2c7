/** A push is refused as a whole; the message is shown to the user. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused';
}
