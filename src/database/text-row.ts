/** A row as PostgreSQL wrote it: the text of each column. */
export type TextRow = readonly (string | null)[];
