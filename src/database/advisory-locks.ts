/** The keys of all advisory locks of the product, in one place so that they differ. */
export const ADVISORY_LOCKS = {
  /** Serialises migrations. */
  migration: 7_236_118_001,
  /**
   * Held shared by every process that needs the embedded server, and exclusively by the process that is about to stop it,
   * so that it never stops while others use or begin to use it.
   */
  postgresLease: 7_236_118_002,
  /** Serialises creating and dropping of read models' schemas. */
  schemas: 7_236_118_003,
  /** Allows one rebuild at a time. */
  rebuild: 7_236_118_004,
} as const;
