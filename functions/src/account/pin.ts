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
  /** Given by staff and to be changed before anything else. */
  isOneTime: boolean
}

/** A person's PIN, locked until the transaction ends; null when none is set. */
export async function lockPin(tx: Sql, uid: string): Promise<StoredPin | null> {
  const [row] = await tx.query<StoredPin>({
    name: 'pin_lock',
    text: `SELECT hash, wrong_tries AS "wrongTries", locked_until AS "lockedUntil", is_one_time AS "isOneTime"
      FROM pin WHERE uid = $1 FOR UPDATE`,
    values: [uid],
  })
  return row ?? null
}

export async function savePin(tx: Sql, uid: string, pin: StoredPin): Promise<void> {
  await tx.query({
    name: 'pin_save',
    text: `INSERT INTO pin (uid, hash, wrong_tries, locked_until, is_one_time) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (uid) DO UPDATE SET hash = excluded.hash, wrong_tries = excluded.wrong_tries,
        locked_until = excluded.locked_until, is_one_time = excluded.is_one_time`,
    values: [uid, pin.hash, pin.wrongTries, pin.lockedUntil, pin.isOneTime],
  })
}

/** Sets a PIN with a clean count of tries. */
export async function setPin(tx: Sql, uid: string, pinHash: string, isOneTime: boolean): Promise<void> {
  await savePin(tx, uid, { hash: pinHash, wrongTries: 0, lockedUntil: null, isOneTime })
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
  const isChanged = record.wrongTries !== stored.wrongTries || record.lockedUntil !== stored.lockedUntil
  if (isChanged) await savePin(tx, uid, { ...stored, ...record })
  return error
}
