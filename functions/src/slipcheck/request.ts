import { createHmac } from 'node:crypto'
import type { StaffReason } from '@shop/shared/slipcheck/outcome.ts'
import type { SubjectKind } from '@shop/shared/slipcheck/slip-check.ts'
import { bangkokDay } from '@shop/shared/time.ts'
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

interface SlipRequest {
  subject: SubjectKind
  subjectId: string
  slipId: string
  ownerKey: string
  /** What the customer is counted by beside their key; null for whom that alone tells apart. */
  address: string | null
  now: Date
}

/** An address as it is counted by on one Bangkok day: nobody can read it back, or follow it to the next day. */
const addressKeyOf = (address: string, { TOTP_KEY }: Shop['config'], now: Date): string =>
  createHmac('sha256', TOTP_KEY)
    .update(`slip check ${bangkokDay(now)} ${address}`)
    .digest('base64url')

/** Has a slip checked after this transaction; does nothing where the shop checks none. */
export async function requestSlipCheck(
  tx: Sql,
  { slipProvider, config }: Pick<Shop, 'slipProvider' | 'config'>,
  request: SlipRequest,
): Promise<void> {
  const { now, slipId, address, ...given } = request
  const slip = slipProvider && (await findSlip(tx, slipId))
  if (!slip) return
  const id = uuidv7()
  const reason = obstacleOf(slip)
  const addressKey = address === null ? null : addressKeyOf(address, config, now)
  const check = { ...given, id, slipId: slip.id, addressKey, reason, createdAt: now }
  await insertSlipCheck(tx, {
    ...check,
    ...(reason ? { state: 'staff', decidedAt: now } : { state: 'confirming', decidedAt: null }),
  })
  if (!reason) await enqueue(tx, { kind: 'slip.check', key: id, payload: { checkId: id }, now })
}
