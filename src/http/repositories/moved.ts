/** The repository that had this place is elsewhere; the request belongs there. */
export class RepositoryMoved extends Error {
  override readonly name = 'RepositoryMoved';
  constructor(
    readonly owner: string,
    readonly repo: string,
  ) {
    super('the repository has another place');
  }
}
