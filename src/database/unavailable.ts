/** The connection is lost, or cannot be made. It is unknown whether a statement under way was carried out. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
