import type { RemoteCredentials } from './clone-address.js';

/** Returns the value of an `Authorization` header for basic authentication (RFC 7617). */
export const basicAuthorization = ({ username, password }: RemoteCredentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
