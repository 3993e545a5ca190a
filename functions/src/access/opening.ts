import { addSeconds } from '@shop/shared/time.ts'
import { RESET_SECONDS } from '@shop/shared/wallet/top-up.ts'
import { findBalance } from '../account/store.ts'
import { findOpenedAt } from '../audit/store.ts'
import type { Person } from '../call/route.ts'
import type { Queries, Sql } from '../database/database.ts'
import { moveValue } from '../value/moving.ts'

/**
 * Counts what somebody could take who learns a secret of an account: all that lies on its wallet and in its shop credit.
 * Call it wherever the shop sets a password or PIN, in the transaction that does. @throws SECOND_WORD_NEEDED
 */
export async function moveOpening(tx: Sql, by: Person, uid: string, kind: 'passwordSet' | 'pinReset'): Promise<void> {
  const amountSatang = await findBalance(tx, uid)
  if (amountSatang <= 0) return
  const about = { subject: `account:${uid}`, note: 'ยอดในกระเป๋าและเครดิตร้านที่ผู้รู้รหัสใช้ได้', owners: [`u:${uid}`] } as const
  await moveValue(tx, by, { ...about, kind, amountSatang })
}

/** The money of an account rests whose password or PIN the shop set since this moment. */
export const restingSince = (now: Date): Date => addSeconds(now, -RESET_SECONDS)

/** Returns when the shop last set a password or PIN of an account, if that was so lately that its money rests. */
export const findRecentOpening = (db: Queries, uid: string, now: Date): Promise<Date | null> =>
  findOpenedAt(db, uid, restingSince(now))

/** Returns until when the money of an account rests after such a moment. */
export const restEnd = (openedAt: Date): Date => addSeconds(openedAt, RESET_SECONDS)
