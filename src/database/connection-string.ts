import pg from 'pg';

/**
 * Returns what keeps pg from reading a connection string, in words that repeat nothing of it but the name of a file;
 * undefined if nothing does.
 */
export function flawOfPostgresUrl(connectionString: string): string | undefined {
  try {
    void new pg.Client({ connectionString }); // which reads it, and the certificates that it names, and connects nowhere
    return undefined;
  } catch (error) {
    if (error instanceof URIError) return 'has a % that begins no character of UTF-8: write it as %25';
    const { path, message } = error as NodeJS.ErrnoException;
    return path === undefined ? `cannot be read: ${message}` : `names ${path}, which cannot be read`;
  }
}
