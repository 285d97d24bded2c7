/** Thrown if the repository that had this address has another one; the request is then redirected there. */
export class RepositoryMoved extends Error {
  override readonly name = 'RepositoryMoved';
  constructor(
    readonly owner: string,
    readonly repo: string,
  ) {
    super('the repository has another place');
  }
}
