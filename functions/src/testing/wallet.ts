import type { Satang } from '@shop/shared/money.ts'
import { slipQrText } from 'local/demo-slip.ts'
import { uuidv7 } from 'uuidv7'
import { setPin } from '../access/pin.ts'
import { developmentPins } from '../account/pins.ts'
import type { Database } from '../database/database.ts'
import { insertSlip } from '../upload/store.ts'
import { postLedger } from '../wallet/store.ts'
import { fixture } from './fixture.ts'
import type { TestShop } from './shop.ts'

/** The tier of test agents: 5 baht off the fixture's package, up to 1,000 baht and 10 items per order. */
export const TIER = {
  id: 100,
  discountSatang: 500,
  minTopUpSatang: 10_000,
  maxAmountSatang: 20_000_000,
  maxAmountPerOrderSatang: 100_000,
  maxItemPerOrder: 10,
} as const

/** Gives an account a wallet of the test tier with an opening balance, and a PIN unless it is null. Returns its id. */
export async function addWallet(
  db: Database,
  wallet: { uid: string; balanceSatang: Satang; pin: string | null; now: Date },
): Promise<string> {
  const id = uuidv7()
  await db.transaction(async tx => {
    await tx.query({
      text: `INSERT INTO agent_tier (id, name, max_amount_satang, min_top_up_satang, max_amount_per_order_satang, max_item_per_order)
        OVERRIDING SYSTEM VALUE VALUES ($1, 'Gold', $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
      values: [TIER.id, TIER.maxAmountSatang, TIER.minTopUpSatang, TIER.maxAmountPerOrderSatang, TIER.maxItemPerOrder],
    })
    await tx.query({
      text: 'INSERT INTO discount (package_id, tier_id, discount_satang) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      values: [fixture.pubg.package, TIER.id, TIER.discountSatang],
    })
    await tx.query({
      text: 'INSERT INTO wallet (id, uid, tier_id, created_at) VALUES ($1, $2, $3, $4)',
      values: [id, wallet.uid, TIER.id, wallet.now],
    })
    if (wallet.pin) await setPin(tx, wallet.uid, developmentPins().hash(wallet.uid, wallet.pin))
    if (wallet.balanceSatang > 0) {
      const postings = [{ from: 'bank:1', to: `wallet:${id}`, amountSatang: wallet.balanceSatang } as const]
      const carried = { kind: 'correction', reason: 'ยอดยกมา', reversesId: null } as const
      await postLedger(tx, { ...carried, id: uuidv7(), subjectId: id, at: wallet.now, postings })
    }
  })
  return id
}

export async function walletBalance(db: Database, uid: string): Promise<Satang> {
  const [row] = await db.query<{ balance: Satang }>({
    text: 'SELECT balance_satang AS balance FROM wallet WHERE uid = $1',
    values: [uid],
  })
  return row!.balance
}

/** A stored slip of an uploader, with a bank reference when one is given. Returns its id. */
export async function addSlip({ db, clock }: TestShop, uploaderKey: string, reference?: string): Promise<string> {
  const id = uuidv7()
  const qrText = reference ? slipQrText('004', reference) : null
  const bank = { sendingBank: reference ? '004' : null, bankReference: reference ?? null, qrText }
  const picture = { fileKey: `slips/${id}.jpg`, pictureHash: null, width: 600, height: 800, byteSize: 1000 }
  await insertSlip(db, { id, uploaderKey, ...picture, ...bank, usedFor: null, createdAt: clock.now })
  return id
}
