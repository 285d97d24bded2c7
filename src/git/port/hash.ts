/** The SHA-1 name of an object: 40 hex digits, in lower case. */
export type Hash = string;

/** Whether a text could be a hash, whole and in lower case; not whether there is such an object. */
export const isHash = (text: string): boolean => /^[0-9a-f]{40}$/.test(text);

/** The tree without entries, which git knows without its being there. */
export const EMPTY_TREE: Hash = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
