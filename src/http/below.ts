/** The path that a proxy has put the server below, as `BASE_URL` says; empty where there is none. */
export const below = ({ baseUrl }: { readonly baseUrl: string }): string =>
  new URL(baseUrl).pathname.replace(/\/$/, '');
