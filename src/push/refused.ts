/** Why nothing of a push is taken; for the one who pushes. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused';
}
