/** A TCP port that nobody listens on, whoever else is given a free one meanwhile. */
export const NOBODYS_PORT = 1;
