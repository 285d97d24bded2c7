import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../program.js';

/** Written last: what has one is a whole back-up. */
const MANIFEST = 'manifest.json';

/** Of the folder's layout; raised when a back-up is laid out in another way. */
const FORMAT = 1;

/** The key of the vault, where the back-up holds it. */
export const KEY_FILE = 'keys/vault.key';

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** The release that made it. */
  tallyforge: z.string(),
  made_at: z.iso.datetime(),
  /** Of the last event in it, in digits. */
  position: z.string().regex(/^\d+$/),
  /** What had been applied to the schemas that it holds. */
  migrations: z.array(z.object({ folder: z.string(), name: z.string() })),
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      file: z.string(),
    }),
  ),
  repositories: z.number(),
  /** Repositories that git could not read, and what it said. */
  unreadable: z.array(z.object({ id: z.number(), error: z.string() })),
  vault_key: z.object({
    /** Whether `keys/vault.key` holds it. */
    included: z.boolean(),
    /** Tells whether a key is the right one, and nothing else of it. */
    fingerprint: z.string(),
  }),
  /** SHA-256 of SHA256SUMS. */
  sums: z.string(),
});

/** What a back-up says of itself: which release made it, as of which position, and what it holds. */
export type Manifest = z.infer<typeof Manifest>;

/** Writes the manifest and waits until the disk has it: from then on the folder counts as a whole back-up. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`;
  await writeFile(join(folder, MANIFEST), text, { mode: 0o600, flush: true });
}

/** Rejects with `UsageError` where the folder is no back-up, not a whole one, or of a layout that is not known. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) throw new UsageError(`${folder} is not a whole back-up: it has no ${MANIFEST}`);
  const { data, error } = Manifest.safeParse(jsonOf(text));
  if (data) return data;
  throw new UsageError(`${folder} cannot be read by this release: ${z.prettifyError(error)}`);
}

/** Undefined for what is no JSON, and so no manifest. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
