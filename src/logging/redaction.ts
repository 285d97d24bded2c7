const HIDDEN = '[hidden]';

/** The endings of names of secrets. What precedes them is not matched, because that takes four times as long. */
const names = '(?:password|passwd|secret|token|authorization|cookie|sha1|otp|vault_?key)';
const text = String.raw`"(?:[^"\\]|\\.)*"`;

const rules: readonly (readonly [RegExp, string])[] = [
  // A field of JSON by its name, whatever its value: text, a list of texts, a number.
  [new RegExp(String.raw`(${names}":)(?:${text}|\[[^\]]*\]|[\d.]+)`, 'gi'), `$1"${HIDDEN}"`],
  // A parameter of a URL or a form.
  [new RegExp(String.raw`(${names}=)[^&\s"\\]+`, 'gi'), `$1${HIDDEN}`],
  // The password of a URL, which goes up to the last @.
  [/(:\/\/[^\s:/@"]*:)[^\s/"]+@/g, `$1${HIDDEN}@`],
  // The value of an Authorization header, wherever it stands.
  [/\b(basic|bearer) +[\w+/.~-]{6,}=*/gi, `$1 ${HIDDEN}`],
  [/\b(token) +[0-9a-f]{40}\b/gi, `$1 ${HIDDEN}`],
];

/** Hides the secrets in a line of JSON: fields that are named like secrets, and credentials in URLs and headers. */
export const withoutSecrets = (line: string): string =>
  rules.reduce((hidden, [pattern, replacement]) => hidden.replace(pattern, replacement), line);
