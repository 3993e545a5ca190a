import { createHmac } from 'node:crypto'
import type { StaffReason } from '@shop/shared/slipcheck/outcome.ts'
import type { SubjectKind } from '@shop/shared/slipcheck/slip-check.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { enqueue } from '../outbox/outbox.ts'
import type { Shop } from '../shop/shop.ts'
import { findSlip, type Slip } from '../upload/store.ts'
import { insertSlipCheck } from './store.ts'

const BANK = /^\d{3}$/

/** Returns why a slip can't be checked at all; null when it can. */
function obstacleOf({ qrText, sendingBank }: Slip): StaffReason | null {
  if (qrText === null || sendingBank === null) return 'noQr'
  return BANK.test(sendingBank) ? null : 'otherSlip'
}

interface SlipRequest {
  subject: SubjectKind
  subjectId: string
  slipId: string
  ownerKey: string
  /** The address that counts for the customer beside their key; null when the key alone identifies them. */
  address: string | null
  now: Date
}

/**
 * Hashes an address for one Bangkok day, so that nobody can read it or follow it to the next day. On a day with a new key
 * an address counts anew.
 */
const addressKeyOf = (address: string, { TOTP_KEY }: Shop['config'], now: Date): string =>
  createHmac('sha256', TOTP_KEY[0]!)
    .update(`slip check ${bangkokDay(now)} ${address}`)
    .digest('base64url')

/** Stores the job that checks a slip after this transaction; does nothing when the shop checks none. */
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
