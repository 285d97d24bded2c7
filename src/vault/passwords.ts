import { hash, parseOptions, verify } from '@node-rs/argon2';

/** argon2id, about 15 ms of one core: OWASP's first choice of parameters. Raise them here; old hashes follow at sign-in. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoy: Promise<string> | undefined;

/** The argon2id hash of a password with its parameters and a salt of its own: no two are the same. */
export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/** Whether the password is the one hashed; without a hash it takes as long, and is not. */
export async function verifyPassword(hashed: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(hashed ?? (await (decoy ??= hashPassword('decoy'))), password);
  return matches && hashed !== undefined;
}

/** Whether the hash was made with other parameters than today's. */
export function isOutdated(hashed: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(hashed);
  return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism;
}
