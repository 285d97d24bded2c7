/** Bytes or a position as decimal digits, because JSON numbers are not exact beyond 2^53. */
export type Digits = string;
