import { hash, parseOptions, verify } from '@node-rs/argon2';

/** argon2id, about 15 ms of one core: OWASP's first choice of parameters. Raise them here; old hashes follow at sign-in. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoy: Promise<string> | undefined;

/** Hashes a password with argon2id and a random salt; the hash includes its parameters. */
export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/** Tells whether the hash is that of the password. Without a hash returns false, after the same time. */
export async function verifyPassword(hashed: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(hashed ?? (await (decoy ??= hashPassword('decoy'))), password);
  return matches && hashed !== undefined;
}

/** Tells whether the hash was made with parameters other than the current ones. */
export function isOutdated(hashed: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(hashed);
  return memoryCost !== COST.memoryCost || timeCost !== COST.timeCost || parallelism !== COST.parallelism;
}
