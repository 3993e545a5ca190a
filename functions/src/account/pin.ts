import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { decidePin, isPinLocked, type PinRecord } from '@shop/shared/account/pin.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Sql } from '../database/database.ts'

/** argon2id with the library's parameters (19 MiB, 2 passes). */
export function hashPin(pin: string): Promise<string> {
  return hash(pin)
}

export function verifyPin(pinHash: string, pin: string): Promise<boolean> {
  return verify(pinHash, pin)
}

/** Four random digits, to be changed at the first sign-in. */
export function createOneTimePin(): string {
  return String(randomInt(10_000)).padStart(4, '0')
}

export interface StoredPin extends PinRecord {
  hash: string
}

/** A person's PIN, locked until the transaction ends; null when none is set. */
export async function lockPin(tx: Sql, uid: string): Promise<StoredPin | null> {
  const [row] = await tx.query<StoredPin>({
    name: 'pin_lock',
    text: `SELECT hash, wrong_tries AS "wrongTries", locked_until AS "lockedUntil" FROM pin WHERE uid = $1 FOR UPDATE`,
    values: [uid],
  })
  return row ?? null
}

/** Sets a PIN with a clean count of tries. */
export async function setPin(tx: Sql, uid: string, pinHash: string): Promise<void> {
  await tx.query({
    text: `INSERT INTO pin (uid, hash, wrong_tries, locked_until) VALUES ($1, $2, 0, NULL)
      ON CONFLICT (uid) DO UPDATE SET hash = excluded.hash, wrong_tries = 0, locked_until = NULL`,
    values: [uid, pinHash],
  })
}

/** Saves the count of tries, unless another try changed it meanwhile: then false, and the tries must be decided again. */
export async function saveTries(db: Sql, uid: string, from: StoredPin, to: PinRecord): Promise<boolean> {
  const saved = await db.query({
    name: 'pin_save_tries',
    text: `UPDATE pin SET wrong_tries = $5, locked_until = $6
      WHERE uid = $1 AND hash = $2 AND wrong_tries = $3 AND locked_until IS NOT DISTINCT FROM $4 RETURNING uid`,
    values: [uid, from.hash, from.wrongTries, from.lockedUntil, to.wrongTries, to.lockedUntil],
  })
  return saved.length === 1
}

/**
 * One try at a person's PIN: null when it is right, else the error to throw AFTER the transaction was committed,
 * so that the wrong try counts. The row stays locked meanwhile: parallel tries wait and cannot get more than five.
 */
export async function checkPin(tx: Sql, uid: string, pin: string, now: Date): Promise<AppError | null> {
  const stored = await lockPin(tx, uid)
  if (!stored) return new AppError('PIN_NOT_SET')
  const isRight = !isPinLocked(stored, now) && (await verifyPin(stored.hash, pin))
  const { record, error } = decidePin(stored, isRight, now)
  await saveTries(tx, uid, stored, record)
  return error
}
