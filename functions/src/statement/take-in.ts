import { findNew, type ToldMovement } from '@shop/shared/statement/same-movement.ts'
import type { Sql } from '../database/database.ts'
import { findKnown, insertLines, lockAccount, type NewLine } from './import-store.ts'

/** Lines in one statement. */
const CHUNK = 5000

/** A line as a file or a feed tells it. */
export interface ToldLine extends ToldMovement, Pick<NewLine, 'detail' | 'fromBank' | 'fromAccount' | 'channel'> {}

function newLine({ time, reference: _, ...line }: ToldLine): NewLine {
  if (time === null) return { ...line, at: null, precisionSeconds: null }
  const hasSeconds = time.length > 5
  const at = new Date(`${line.day}T${hasSeconds ? time : `${time}:00`}+07:00`)
  return { ...line, at, precisionSeconds: hasSeconds ? 1 : 60 }
}

/** Those of the told lines that are not known on an account. */
export async function findFresh(db: Sql, receivingAccountId: number, told: readonly ToldLine[]): Promise<ToldLine[]> {
  const known = await findKnown(
    db,
    receivingAccountId,
    told.map(({ day }) => day),
  )
  return findNew(told, known)
}

/** Takes in what is not known yet, in the order it is told; imports into one account wait for each other. */
export async function addNew(
  tx: Sql,
  told: readonly ToldLine[],
  of: { receivingAccountId: number; fileId: string | null; now: Date },
): Promise<{ imported: number; known: number }> {
  await lockAccount(tx, of.receivingAccountId)
  const fresh = (await findFresh(tx, of.receivingAccountId, told)).map(newLine)
  let imported = 0
  for (let from = 0; from < fresh.length; from += CHUNK)
    imported += await insertLines(tx, fresh.slice(from, from + CHUNK), of)
  return { imported, known: told.length - imported }
}
