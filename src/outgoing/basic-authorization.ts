import type { RemoteCredentials } from './clone-address.js';

/** The value of an `Authorization` header (RFC 7617). */
export const basicAuthorization = ({ username, password }: RemoteCredentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
