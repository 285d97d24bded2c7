/** The SHA-1 name of an object: 40 hex digits, in lower case. */
export type Hash = string;

/** Tells whether a text has the form of a complete hash in lower case; the object need not exist. */
export const isHash = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

/** The hash of the empty tree, which git knows even if it is not stored. */
export const EMPTY_TREE: Hash = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** What git writes in place of a hash where there is no object, as before a ref was created. */
export const NO_OBJECT: Hash = '0'.repeat(40);
