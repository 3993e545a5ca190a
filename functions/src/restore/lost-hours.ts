import { addSeconds } from '@shop/shared/time.ts'
import type { Database, Sql } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import { statementLine } from '../statement/tables.ts'
import type { Files } from '../upload/files.ts'
import { readSlipImage } from '../upload/slip-image.ts'
import { insertSlip } from '../upload/store.ts'
import { slip } from '../upload/tables.ts'
import { lostSlip } from './tables.ts'

const l = under(statementLine, 'l')
const [x, lost] = [under(lostSlip, 'x'), under(lostSlip)]
const [s, slips] = [under(slip, 's'), under(slip)]

/** The owner of slips whose uploader is lost; nobody's key is like it, so only staff see them. */
const NOBODY = 'restored'

/** A clock of the file store may be a little behind the database's. */
const CLOCK_MS = 60_000

/** Money that came in the lost hours and of which no order is known. */
export interface LostLine {
  id: string
  at: Date
  amountSatang: number
  detail: string
  fromBank: string | null
  fromAccount: string | null
}

/** An order that was placed just before the end of the lost time is paid within this after it. */
const PAID_LATER_SECONDS = 3600

/** The moment of a line, or the beginning of its day. */
const AT = `coalesce(${l.at}, ${l.day}::timestamp AT TIME ZONE 'Asia/Bangkok')`

/** A line of the time from $1 to $2. Banks tell the minute, or only the day, so it counts where that touches the time. */
const IS_WITHIN = `${l.amountSatang} > 0
  AND ${AT} <= $2
  AND (${l.at} + make_interval(secs => coalesce(${l.precisionSeconds}, 60)) >= $1
    OR (${l.at} IS NULL AND ${l.day} >= ($1::timestamptz AT TIME ZONE 'Asia/Bangkok')::date))`
const boundsOf = ({ from, to }: Period) => [from, addSeconds(to, PAID_LATER_SECONDS)]

interface Period {
  from: Date
  to: Date
}

/**
 * Returns the bank lines of the lost hours that wait for somebody, oldest first.
 */
export const findLostLines = (db: Sql, period: Period): Promise<LostLine[]> =>
  db.query({
    text: sql`SELECT ${row<LostLine>({
      ...pick(l, 'id', 'amountSatang', 'detail', 'fromBank', 'fromAccount'),
      at: as.instant(AT),
    })}
      FROM ${l} WHERE ${l.state} = 'unmatched' AND ${IS_WITHIN}
      ORDER BY ${AT}, ${l.no}`,
    values: boundsOf(period),
  })

/** How many bank lines of the lost hours there are at all. */
export async function countLines(db: Sql, period: Period): Promise<number> {
  const [found] = await db.query({
    text: sql`SELECT ${row({ n: as.int('count(*)') })} FROM ${l} WHERE ${IS_WITHIN}`,
    values: boundsOf(period),
  })
  return found!.n
}

/** A slip that was found as a file, with the transfer that its code names. */
export interface LostSlip {
  slipId: string
  /** When it was uploaded. */
  createdAt: Date
  sendingBank: string | null
  bankReference: string | null
}

/** Returns the found slips that nobody has dealt with, oldest first. */
export const findLostSlips = (db: Sql): Promise<LostSlip[]> =>
  db.query({
    text: sql`SELECT ${row({ ...pick(x, 'slipId'), ...pick(s, 'createdAt', 'sendingBank', 'bankReference') })}
      FROM ${x} JOIN ${s} ON ${s.id} = ${x.slipId} WHERE ${x.closedAt} IS NULL ORDER BY ${s.createdAt}, ${s.id}`,
  })

/** Returns false when it is none of those that wait. */
export async function closeSlip(
  tx: Sql,
  id: string,
  word: { by: string; reason: string; now: Date },
): Promise<boolean> {
  const rows = await tx.query({
    text: sql`UPDATE ${lost} SET ${lost.closedBy} = $2, ${lost.closedAt} = $3, ${lost.closedReason} = $4
      WHERE ${lost.slipId} = $1 AND ${lost.closedAt} IS NULL RETURNING ${row(pick(lost, 'slipId'))}`,
    values: [id, word.by, word.now, word.reason],
  })
  return rows.length > 0
}

const ID = /^slips\/([0-9a-f]{8}-[0-9a-f-]{27})\.jpg$/

/**
 * Gives slips that were uploaded in the lost hours their rows again, by their files, and makes them cases for staff.
 * Returns how many were found, and how many files could not be read.
 */
export async function takeUpSlips(
  db: Database,
  files: Pick<Files, 'list' | 'read'>,
  { from, now }: { from: Date; now: () => Date },
): Promise<{ found: number; unreadable: number }> {
  const late = (await files.list('slips')).filter(({ writtenAt }) => writtenAt.getTime() >= from.getTime() - CLOCK_MS)
  const result = { found: 0, unreadable: 0 }
  for (const { key, writtenAt } of late) {
    const [, id] = ID.exec(key) ?? []
    if (!id) continue
    const [known] = await db.query({ text: sql`SELECT FROM ${slips} WHERE ${slips.id} = $1`, values: [id] })
    if (known) continue
    const file = await files.read(key)
    const image = file && (await readSlipImage(Buffer.from(file)).catch(() => null))
    if (!image) {
      result.unreadable++
      continue
    }
    const { width, height, body, pictureHash, qr, qrText } = image
    const transfer = qr?.kind === 'payment' ? null : qr
    const bank = {
      sendingBank: transfer?.sendingBank ?? null,
      bankReference: transfer?.reference ?? null,
      qrText: transfer && qrText,
    }
    const row = {
      id,
      uploaderKey: NOBODY,
      fileKey: key,
      pictureHash,
      width,
      height,
      byteSize: body.byteLength,
      ...bank,
    }
    await db.transaction(async tx => {
      // It is named by itself, so that it is not swept away as one that nobody handed in.
      await insertSlip(tx, { ...row, usedFor: id, createdAt: writtenAt })
      await tx.query({
        text: sql`INSERT INTO ${lost} (${lost.slipId}, ${lost.foundAt}) VALUES ($1, $2)`,
        values: [id, now()],
      })
    })
    result.found++
  }
  return result
}
