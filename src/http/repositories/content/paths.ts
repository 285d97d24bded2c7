/** Tells whether a tree can have a file at this path: it has no empty segment, no `.` and no `..`. */
export const isPath = (path: string): boolean =>
  !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
