import { tooManyFields } from './form.js';
import { MOST_VALUES } from './json-bounds.js';

/** Clients made with .NET write names without quotation marks. */
const NAME = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i;

/**
 * Parses the fields of a `multipart/form-data` body (RFC 7578); undefined if the text is not such a body. Skips parts
 * that are files. Throws 422 for too many parts, as `parseForm` for too many fields.
 */
export function multipartFields(text: string, contentType: string): URLSearchParams | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  // One part more than allowed, and what comes before the first and after the last.
  const [, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`, MOST_VALUES + 3);
  const end = parts.pop();
  if (parts.length > MOST_VALUES) throw tooManyFields();
  if (!end?.startsWith('--')) return undefined;
  const fields = new URLSearchParams();
  for (const part of parts) {
    const [, head, value] = /^[ \t]*\r\n((?:[^\r\n]+\r\n)*)\r\n(.*)$/s.exec(part) ?? [];
    const [, quotedName, plainName] = NAME.exec(head ?? '') ?? [];
    const name = quotedName ?? plainName;
    if (head === undefined || value === undefined || name === undefined) return undefined;
    if (!/;\s*filename\*?=/i.test(head)) fields.append(name, value);
  }
  return fields;
}
