import type { StaffReason } from '@shop/shared/slipcheck/outcome.ts'
import type { SubjectKind } from '@shop/shared/slipcheck/slip-check.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { enqueue } from '../outbox/outbox.ts'
import type { Shop } from '../shop.ts'
import { findSlip, type Slip } from '../upload/store.ts'
import { insertSlipCheck } from './store.ts'

const BANK = /^\d{3}$/

/** What keeps a slip from being asked about at all. */
function obstacleOf({ qrText, sendingBank }: Slip): StaffReason | null {
  if (qrText === null || sendingBank === null) return 'noQr'
  return BANK.test(sendingBank) ? null : 'otherSlip'
}

/** Has a slip checked after this transaction; does nothing where the shop checks none. */
export async function requestSlipCheck(
  tx: Sql,
  { slipProvider }: Pick<Shop, 'slipProvider'>,
  request: { subject: SubjectKind; subjectId: string; slipId: string; ownerKey: string; now: Date },
): Promise<void> {
  const { now, slipId, ...given } = request
  const slip = slipProvider && (await findSlip(tx, slipId))
  if (!slip) return
  const id = uuidv7()
  const reason = obstacleOf(slip)
  const check = { ...given, id, slipId: slip.id, reason, createdAt: now }
  await insertSlipCheck(tx, {
    ...check,
    ...(reason ? { state: 'staff', decidedAt: now } : { state: 'confirming', decidedAt: null }),
  })
  if (!reason) await enqueue(tx, { kind: 'slip.check', key: id, payload: { checkId: id }, now })
}
