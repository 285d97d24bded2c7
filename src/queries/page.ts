/** A page of a list: at most `limit` rows, after the first `offset`. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}
