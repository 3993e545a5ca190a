import { listVouchers, replaceVoucher, seeVoucher } from '@shop/shared/voucher/endpoints.ts'
import { stockUp } from '../../code-shop.ts'
import { DEAR, TOO_MANY } from '../shop.ts'
import type { Thief } from '../thief.ts'
import type { Way } from '../way.ts'

const PIECES = 8

/** A package of dear codes of the thief's own choice, with honest people's stock. */
async function codesFor(thief: Thief, kept: string): Promise<number> {
  const { it, uid, day, called } = thief
  const known = Number(thief.kept.get(kept))
  const below = Number(uid.slice(-2)) * 100 + 20_000
  const id = known || (await it.addPackage(`${kept} ${uid}`, { ...DEAR, priceSatang: DEAR.priceSatang - below }))
  thief.kept.set(kept, String(id))
  await it.db.query({
    text: `UPDATE package SET delivers = 'code', sources = '[{"supplier": "stock", "sku": "", "costSatang": null}]' WHERE id = $1`,
    values: [id],
  })
  const lines = Array.from({ length: PIECES }, (_, at) => `${kept}-${uid}-${day}-${called.size}-${at}`)
  await stockUp(it, lines, { packageId: id, costSatang: DEAR.costSatang })
  return id
}

export const voucherWays = {
  codeReplaced: {
    tries: 'codes of a friend’s paid order taken back as bad, again and again, for new ones',
    takes: 'goods',
    control: 'each new code counts to the day of who hands it out, and managers are told',
    test: ['voucher/hands.test.ts', 'counts to the day of who replaces it'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const { it } = thief
      const packageId = await codesFor(thief, 'replaced')
      const friend = await thief.wallet(DEAR.priceSatang)
      const order = (await thief.spend(friend.hand, '1234', { packageId })) as { orderNo: string } | null
      if (!order) return
      const { orderNo } = order
      thief.marks.add(orderNo)
      await it.pass(1)
      for (let nth = 0; nth < TOO_MANY; nth++) {
        const had = await thief.do(listVouchers, { query: { orderNo, state: 'sold' } })
        for (const { id } of had?.rows ?? []) await thief.do(replaceVoucher, { body: { orderNo, id, reason: 'ใช้แล้ว' } })
      }
    },
  },
  codeSeen: {
    tries: 'codes that wait in the stock looked at one after the other, and used',
    takes: 'goods',
    control: 'each code that somebody looks at counts to their day, and admins are told',
    test: ['voucher/hands.test.ts', 'counts to the day of who looks at it'],
    refusal: 'SECOND_WORD_NEEDED',
    async run(thief) {
      const packageId = String(await codesFor(thief, 'seen'))
      const free = await thief.do(listVouchers, { query: { packageId, state: 'free' } })
      for (const { id } of free!.rows.slice(0, TOO_MANY))
        await thief.do(seeVoucher, { body: { id, reason: 'ตรวจสต็อก' } })
    },
  },
} satisfies Record<string, Way>
