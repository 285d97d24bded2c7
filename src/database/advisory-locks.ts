/** The advisory locks of the product, together so that no two are the same. */
export const ADVISORY_LOCKS = {
  /** Migrations run one after the other. */
  migration: 7_236_118_001,
  /**
   * Shared by every process that needs the embedded server; taken alone by who is about to stop it, so that nobody is
   * cut off by mistake and nobody can begin while it stops.
   */
  postgresLease: 7_236_118_002,
  /** Schemas of read models are made and dropped by one process at a time. */
  schemas: 7_236_118_003,
  /** One rebuild at a time. */
  rebuild: 7_236_118_004,
} as const;
