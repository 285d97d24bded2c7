import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../programs/program.js';

/** The name of the manifest, which is written last: a folder that has one is a complete back-up. */
const MANIFEST = 'manifest.json';

/** The advice where a back-up is damaged. */
export const TAKE_ANOTHER = 'copy the back-up anew from where it is whole, or take another one';

/** The version of the folder's layout; raised with each incompatible change of the layout. */
const FORMAT = 1;

/** The file with the vault's key, in back-ups that include it. */
export const KEY_FILE = 'keys/vault.key';

const Manifest = z.object({
  format: z.literal(FORMAT),
  /** The version of the release that made the back-up. */
  tallyforge: z.string(),
  made_at: z.iso.datetime(),
  /** The position of the last event in the back-up, in decimal digits. */
  position: z.string().regex(/^\d+$/),
  /** The migrations that had been applied to the schemas in the back-up. */
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
  /** The repositories that git could not read, and git's error message for each. */
  unreadable: z.array(z.object({ id: z.number(), error: z.string() })),
  vault_key: z.object({
    /** Whether `keys/vault.key` holds the key. */
    included: z.boolean(),
    /** Identifies the key without revealing anything else about it. */
    fingerprint: z.string(),
  }),
  /** The SHA-256 of the file SHA256SUMS, in hex. */
  sums: z.string(),
});

/** The manifest of a back-up: the release that made it, the position of the log, and the contents. */
export type Manifest = z.infer<typeof Manifest>;

/** Writes the manifest and flushes it to the disk. From then on the folder counts as a complete back-up. */
export async function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): Promise<void> {
  const text = `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`;
  await writeFile(join(folder, MANIFEST), text, { mode: 0o600, flush: true });
}

/**
 * Reads the manifest. Rejects with `UsageError` if the folder is no back-up, is incomplete or damaged, or has an unknown
 * layout.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UsageError(`${folder} cannot be read`, `run this as a user who may read it. ${message}`);
  });
  if (text === undefined)
    throw new UsageError(
      `${folder} is not a whole back-up, as it has no ${MANIFEST}`,
      'name the folder of one',
    );
  const json = jsonOf(text);
  if (json === undefined)
    throw new UsageError(`${join(folder, MANIFEST)} is not what was written`, TAKE_ANOTHER);
  const { data, error } = Manifest.safeParse(json);
  if (data) return data;
  throw new UsageError(
    `${folder} cannot be read by this release`,
    `take the one that made it. ${z.prettifyError(error)}`,
  );
}

/** Parses JSON; returns undefined for text that is not JSON, and so no manifest. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
