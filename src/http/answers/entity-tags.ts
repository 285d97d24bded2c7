/** Returns the entity tags in an `If-Match` or `If-None-Match`, unparsed (RFC 9110 §8.8.3); ignores anything else. */
export const tagsIn = (field: string): readonly string[] => field.match(/(?:W\/)?"[^"]*"/g) ?? [];

/** Tells whether an `If-None-Match` names this tag, by the weak comparison that the header requires. */
export const isNamed = (etag: string, field: string): boolean =>
  field.trim() === '*' || tagsIn(field).some((tag) => tag.replace(/^W\//, '') === etag);
