import { createHash } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'

/** A secret from the database, in clear. */
interface Opened {
  secret: Uint8Array
  /** The place of its key in TOTP_KEY; 0 is the newest. */
  key: number
}

/**
 * Encrypts secrets for the database. They can be read only with a key of TOTP_KEY and only for the person they were made
 * for.
 */
export interface Vault {
  /** Encrypts with the newest key. */
  seal(uid: string, secret: Uint8Array): Promise<string>
  /** Returns null when none of the keys encrypted it. */
  open(uid: string, sealed: string): Promise<Opened | null>
}

/** @param keys the newest first */
export function createVault(keys: readonly string[]): Vault {
  const keyOf = (key: string, uid: string) => createHash('sha256').update(`${key}\n${uid}`).digest()
  return {
    seal: (uid, secret) =>
      new CompactEncrypt(secret).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(keyOf(keys[0]!, uid)),
    async open(uid, sealed) {
      for (const [at, key] of keys.entries()) {
        const found = await compactDecrypt(sealed, keyOf(key, uid)).catch(() => null)
        if (found) return { secret: found.plaintext, key: at }
      }
      return null
    },
  }
}
