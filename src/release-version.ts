import { readFileSync } from 'node:fs';

/** Of this release, as package.json has it. */
export function releaseVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
