/** Where the back-ups of earlier releases are kept, `backup-<version>` each. */
export const FIXTURES = new URL('../../../test/fixtures/', import.meta.url);
