import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts with AES-256-GCM; returns nonce, ciphertext, tag. `purpose` is not stored, but required to decrypt. */
export function seal(key: Buffer, plaintext: Buffer | string, purpose: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(purpose));
  const ciphertext =
    typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  return Buffer.concat([nonce, ciphertext, cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what `seal` returned. Throws if key or purpose differ, or if it was altered. */
export function open(key: Buffer, sealed: Buffer, purpose: string): Buffer {
  const end = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(sealed.subarray(end));
  const plaintext = decipher.update(sealed.subarray(NONCE_BYTES, end));
  return Buffer.concat([plaintext, decipher.final()]);
}
