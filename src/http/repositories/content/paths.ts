/** Whether a file of a tree could be there: no empty part, no `.` and no `..`. */
export const isPath = (path: string): boolean =>
  !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
