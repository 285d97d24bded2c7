/** The connection is lost, or cannot be had; whether a statement under way was carried out is unknown. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
