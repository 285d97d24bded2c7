/** Returns the path below which a proxy serves this server, according to `BASE_URL`; empty for the root. */
export const below = ({ baseUrl }: { readonly baseUrl: string }): string =>
  new URL(baseUrl).pathname.replace(/\/$/, '');
