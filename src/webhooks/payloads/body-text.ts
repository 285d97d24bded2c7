import type { HookType } from '../../domain/hooks/hook-messages.js';
import { shortName } from '../../domain/repositories/refs.js';

/** Events whose bodies are indented by one space. */
const NARROW = new Set(['repository']);
const WITH_SHORT_REFS = new Set(['create', 'delete']);

/** Serialises a body for hooks of this type, exactly as it is signed and sent. */
export function bodyText(body: object, event: string, type: HookType): string {
  if (type === 'gitea' && WITH_SHORT_REFS.has(event) && 'ref' in body)
    return JSON.stringify({ ...body, ref: shortName(String(body.ref)) });
  return JSON.stringify(body, null, NARROW.has(event) ? 1 : 2);
}
