/** JSON that a careless or hostile client sends where a field is expected, as text: some of it no JavaScript value holds. */
export const hostileValues: readonly string[] = [
  'null',
  'true',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"__proto__":{"admin":true}}',
  // numbers
  '-1',
  '0',
  '1.5',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '1e400',
  // texts
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud83d"',
  '"\\u202e\\ufeff"',
  '"🛠️"',
  '"\\r\\nX-Injected: 1"',
  '"../../../etc/passwd"',
  '"..%2f..%2f"',
  '"-rf"',
  '"--upload-pack=touch /tmp/x"',
  '"refs/heads/../x"',
  '"\' or 1=1 --"',
  '"\\\\\\""',
  '"%s%n$(id)`id`"',
  '"<script>alert(1)</script>"',
  `"${'x'.repeat(70_000)}"`,
  `"${'é'.repeat(300)}"`,
  // moments
  '"0000-01-01T00:00:00Z"',
  '"0001-01-01T00:00:00Z"',
  '"9999-12-31T23:59:59-14:00"',
  '"+275760-09-13T00:00:00Z"',
  '"-000001-01-01T00:00:00Z"',
  '"2026-02-30T00:00:00Z"',
  '"2026-01-01T24:00:00Z"',
  '"2026-01-01"',
  // addresses
  '"http://[::1"',
  '"http://user:secret@127.0.0.1:99999/"',
  '"file:///etc/passwd"',
  '"javascript:alert(1)"',
];

/** The same in a query or as one part of a path. */
export const hostileTexts: readonly string[] = hostileValues
  .filter((value) => value.length < 1_000)
  .map((value) => {
    const parsed: unknown = value === '1e400' ? value : JSON.parse(value);
    return typeof parsed === 'string' ? parsed : value;
  });
