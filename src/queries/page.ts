/** A part of a list: `limit` rows after the first `offset`. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}
