import { setTimeout as delay } from 'node:timers/promises'
import { log } from '../http/log.ts'
import { countWitness, findWitnessState, noticeOlder } from '../outbox/safe-mode.ts'
import type { Shop } from '../shop/shop.ts'
import type { Files } from '../upload/files.ts'

/**
 * A disk that was put back to a snapshot is, to PostgreSQL, a power cut: server, timeline and tables are the same, only
 * older. So a number stands in the database and in a file beside the slips. Each look makes it grow in the database
 * first and writes it into the file then; a database whose number is below that of the file is older than it was.
 */

type Parts = Pick<Shop, 'db' | 'files' | 'now'>

/** Each database has a file of its own, so that a restored one, or another one in the same bucket, begins anew. */
const keyOf = (name: string): string => `witness/${name.replaceAll('/', '-')}.txt`

/** Returns the number in the file; null when there is none. */
export async function readWitness(files: Pick<Files, 'read'>, name: string): Promise<number | null> {
  const body = await files.read(keyOf(name))
  const text = body && Buffer.from(body).toString('utf8').trim()
  return text && /^\d{1,15}$/.test(text) ? Number(text) : null
}

export const writeWitness = (files: Pick<Files, 'write'>, name: string, witness: number): Promise<void> =>
  files.write(keyOf(name), Buffer.from(String(witness)), 'text/plain')

function tell(): void {
  log('ERROR', 'safe mode: the database is older than it was, its disk was put back')
}

/**
 * Compares the database with the witness, once a minute at most, and after each start of the database server before
 * anything leaves the shop. Every process does it; the one that counts writes the file. A late write of a slow process
 * makes the file older for a minute, which only notices less.
 *
 * A file that is missing is no alarm, unless it was there before and the server was started anew as well: then this is a
 * copy of the disk, or a machine that was put together from backups.
 */
export function watchWitness(parts: Parts): Promise<void> {
  const under = underWay.get(parts.files)
  if (under) return under
  const looking = look(parts).finally(() => underWay.delete(parts.files))
  underWay.set(parts.files, looking)
  return looking
}

/** A storage that hangs is asked once, not every few seconds anew; whoever asks meanwhile learns how that ends. */
const underWay = new WeakMap<Parts['files'], Promise<void>>()

async function look({ db, files, now }: Parts): Promise<void> {
  const state = await findWitnessState(db)
  if (!state?.isDue) return
  const { name, witness, isStartedAnew } = state
  const seen = await readWitness(files, name)
  if (seen === null && witness > 0)
    log('WARNING', 'the file that tells how far the database was is missing', { witness })
  const least = seen ?? (isStartedAnew && witness > 0 ? witness + 1 : 0)
  const counted = await countWitness(db, least)
  if (counted !== null) return writeWitness(files, name, counted)
  if (await noticeOlder(db, least, now())) tell()
}

/** A storage that hangs keeps no server from starting: until it answers, the database lets nothing leave. */
const START_MS = 3000

export async function watchWitnessAtStart(parts: Parts): Promise<void> {
  const watched = watchWitness(parts)
  watched.catch(() => {})
  await Promise.race([watched, delay(START_MS, undefined, { ref: false })])
}

/** Notices an older database, and nothing else: an operator's machine may have other files, or none. */
export async function noticeOlderDisk({ db, files, now }: Parts): Promise<void> {
  const state = await findWitnessState(db)
  const seen = state && (await readWitness(files, state.name))
  if (seen) await noticeOlder(db, seen, now())
}
