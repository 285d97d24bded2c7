/** The entity tags in an `If-Match` or `If-None-Match`, as they stand (RFC 9110 §8.8.3); anything else is left out. */
export const tagsIn = (field: string): readonly string[] => field.match(/(?:W\/)?"[^"]*"/g) ?? [];

/** Whether an `If-None-Match` names this tag: weakly compared, as that header asks for. */
export const isNamed = (etag: string, field: string): boolean =>
  field.trim() === '*' || tagsIn(field).some((tag) => tag.replace(/^W\//, '') === etag);
