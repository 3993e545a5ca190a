import { randomInt } from 'node:crypto'
import { decidePin, NO_TRIES, type PinDecision, type PinRecord, pinLockOf } from '@shop/shared/account/pin.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Caller } from '@shop/shared/permissions.ts'
import { sql as drizzled } from 'drizzle-orm'
import type { Pins } from '../account/pins.ts'
import { ownerCode, pin } from '../account/tables.ts'
import { audit } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import type { InJson } from '../http/in-json.ts'
import { tell } from '../outbox/outbox.ts'
import { credit } from '../wallet/tables.ts'

/** Four random digits, to be changed at the first sign-in. */
export function createOneTimePin(): string {
  return String(randomInt(10_000)).padStart(4, '0')
}

/** Six random digits, to be sent to somebody who types them where they asked for them. */
export const newNumber = (): string => String(randomInt(1_000_000)).padStart(6, '0')

export interface StoredPin extends PinRecord {
  hash: string
  /** Grows by one with every change, so that a decision can name the state it was based on. */
  version: number
}

const [p, c] = [under(pin, 'p'), under(credit, 'c')]
/** The same where names stand alone, and where they must be told from another table's. */
const [bare, named] = [under(pin), under(pin, 'pin')]
const { uid: _uid, ...kept } = p
const KEPT = row<StoredPin>(kept)

/**
 * Returns the SQL of a person's PIN as one JSON value within a larger query, for `pinOf` to read; null when none is
 * set.
 */
export const pinJson = (uid: string): string =>
  `(SELECT row_to_json(stored) FROM (SELECT ${KEPT} FROM ${p} WHERE ${p.uid} = ${uid}) stored)`

export type PinJson = InJson<StoredPin>

const instantOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

export function pinOf(json: PinJson): StoredPin {
  return { ...json, lockedAt: instantOf(json.lockedAt), lockedUntil: instantOf(json.lockedUntil) }
}

async function findStored(db: Sql, uid: string, lock: '' | ' FOR UPDATE'): Promise<StoredPin | null> {
  const [stored] = await db.query({ text: sql`SELECT ${KEPT} FROM ${p} WHERE ${p.uid} = $1${lock}`, values: [uid] })
  return stored ?? null
}

/** A person's PIN; null when none is set. */
export const findPin = (db: Sql, uid: string): Promise<StoredPin | null> => findStored(db, uid, '')

/** Returns a person's PIN, locked until the transaction ends; null when none is set. */
export const lockPin = (tx: Sql, uid: string): Promise<StoredPin | null> => findStored(tx, uid, ' FOR UPDATE')

/** Counts the PINs under each key's name; those that argon2id kept need no key and are left out. */
export const countPins = (db: Sql): Promise<{ name: string; rows: number }[]> =>
  db.query({
    text: sql`SELECT ${row({ name: as.text(`split_part(${p.hash}, '$', 1)`), rows: as.int('count(*)') })}
      FROM ${p} WHERE ${p.hash} NOT LIKE '$%' GROUP BY 1 ORDER BY 1`,
  })

/** Sets a PIN that nobody has tried yet. */
export async function setPin(tx: Sql, uid: string, hash: string): Promise<void> {
  const clean = { hash, ...NO_TRIES }
  await tx.orm
    .insert(pin)
    .values({ uid, ...clean })
    .onConflictDoUpdate({ target: pin.uid, set: { ...clean, version: drizzled`${pin.version} + 1` } })
}

/** A code that was sent to the owner of an account proves nothing any more. */
export async function deleteOwnerCode(tx: Sql, uid: string): Promise<void> {
  const code = under(ownerCode)
  await tx.query({ text: sql`DELETE FROM ${code} WHERE ${code.uid} = $1`, values: [uid] })
}

/** What left a shop credit `c` since its owner last typed their PIN for it. */
export const CREDIT_SINCE_PIN = `(${c.leftSatang} - coalesce((SELECT ${p.creditLeftSatang} FROM ${p} WHERE ${p.uid} = ${c.uid}), 0))`

/**
 * Remembers that a person has just typed their right PIN for shop credit: what leaves it is counted from here. Call it
 * after what leaves with that PIN.
 */
export async function markCreditPin(tx: Sql, uid: string): Promise<void> {
  await tx.query({
    text: sql`UPDATE ${bare} SET ${bare.creditLeftSatang} = coalesce((SELECT ${c.leftSatang} FROM ${c} WHERE ${c.uid} = $1), 0) WHERE ${bare.uid} = $1`,
    values: [uid],
  })
}

/** The outcome of one try at a stored PIN, not saved yet. */
export interface PinTry extends Pick<PinDecision, 'error' | 'lock'> {
  from: StoredPin
  to: StoredPin
  /** The PIN was locked, so nothing was tried and there is nothing to save. */
  isRefused: boolean
}

/** Compares a typed PIN with the stored one. @throws PIN_UNREADABLE, which does not count as a wrong try */
export async function tryPin(pins: Pins, uid: string, stored: StoredPin, typed: string, now: Date): Promise<PinTry> {
  const isRefused = pinLockOf(stored, now) !== null
  const isRight = !isRefused && (await pins.isRight(uid, stored.hash, typed))
  const { record, error, lock } = decidePin(stored, isRight, now)
  const hash = isRight && !pins.isCurrent(stored.hash) ? pins.hash(uid, typed) : stored.hash
  return { from: stored, to: { ...stored, ...record, hash }, error, lock, isRefused }
}

/** Tells whether a right PIN changes what is stored: it resets the wrong tries and stores the hash with the newest key. */
export const isNewsToPin = ({ from, to }: PinTry): boolean => from.wrongTries > 0 || from.hash !== to.hash

/** Returns the SQL of what a right PIN changes. @param changes 1, or 0 where nothing does */
export const rightPinSql = (hash: string, changes: string): string =>
  `${bare.wrongTries} = 0, ${bare.hash} = ${hash}, ${bare.version} = ${named.version} + ${changes}::int`

/** The person whose own PIN is tried. */
export interface PinOwner {
  uid: string
  role: Caller
  now: Date
}

/**
 * Saves the outcome of a try and tells the owner of a lock that it began. Returns false when another try or a new PIN
 * was saved first; then the try must be decided again.
 */
export async function savePinTry(tx: Sql, { uid, role, now }: PinOwner, { from, to, lock }: PinTry): Promise<boolean> {
  const saved = await tx.query({
    name: 'pin_save_try',
    text: sql`UPDATE ${bare} SET ${bare.hash} = $3, ${bare.wrongTries} = $4, ${bare.day} = $5, ${bare.dayTries} = $6,
        ${bare.locks} = $7, ${bare.lockedAt} = $8, ${bare.lockedUntil} = $9,
        ${bare.version} = ${bare.version} + 1
      WHERE ${bare.uid} = $1 AND ${bare.version} = $2 RETURNING ${row(pick(bare, 'uid'))}`,
    values: [uid, from.version, to.hash, to.wrongTries, to.day, to.dayTries, to.locks, to.lockedAt, to.lockedUntil],
  })
  if (saved.length === 0) return false
  if (!lock) return true
  const after = { locks: to.locks, lockedUntil: lock.until?.toISOString() ?? null }
  await audit(tx, { uid, role, now }, { action: 'account.lockPin', subject: `account:${uid}`, before: null, after })
  await tell(tx, { event: 'pinLocked', id: uid, turn: now.toISOString(), now })
  return true
}

/**
 * Tries a person's PIN. Returns null when it is right, else the error, which the caller throws AFTER the commit so that
 * the wrong try counts. The row stays locked until then, so parallel tries wait.
 */
export async function checkPin(tx: Sql, pins: Pins, owner: PinOwner, typed: string): Promise<AppError | null> {
  const stored = await lockPin(tx, owner.uid)
  if (!stored) return new AppError('PIN_NOT_SET')
  const tried = await tryPin(pins, owner.uid, stored, typed, owner.now)
  if (!tried.isRefused) await savePinTry(tx, owner, tried)
  return tried.error
}
