/**
 * Parses a URL, which may be relative to a base; undefined if it is none. To be used instead of `URL.canParse`, which in
 * Node 20 misreads letters such as `ü` in the name of a host after it was called some thousand times.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
