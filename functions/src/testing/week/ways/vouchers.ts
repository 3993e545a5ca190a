import { listVouchers, replaceVoucher, seeVoucher } from '@shop/shared/voucher/endpoints.ts'
import { revealCodes } from '@shop/shared/voucher/reveal-endpoints.ts'
import { stockUp } from '../../code-shop.ts'
import { DEAR, TOO_MANY } from '../shop.ts'
import type { PlacedOrder, Thief } from '../thief.ts'
import type { Way } from '../way.ts'

const PIECES = 12

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

/** Looks at the codes of an order as its buyer. */
async function lookAt(thief: Thief, { orderNo, buyer }: PlacedOrder): Promise<void> {
  const ids = await idsOf(thief, orderNo)
  if (ids.length > 0) await thief.handOf(buyer).do(revealCodes, { body: { orderNo, ids } })
}

async function idsOf({ it }: Thief, orderNo: string): Promise<string[]> {
  const { rows } = await it.as('staff').call(listVouchers, { query: { orderNo, state: 'sold' } })
  return rows.map(({ id }) => id)
}

/** Says that each code of an order is bad: without evidence, with a picture of something, and with a made-up complaint. */
async function replaceAll(thief: Thief, { orderNo }: Pick<PlacedOrder, 'orderNo'>): Promise<void> {
  for (const id of await idsOf(thief, orderNo))
    for (const shown of [{}, { evidenceSlipId: await thief.slip(thief.uid) }, { complaint: 'SUP-1' }])
      await thief.do(replaceVoucher, { body: { orderNo, id, reason: 'ใช้แล้ว', ...shown } })
}

export const voucherWays = {
  codeReplaced: {
    tries:
      'codes bought as a guest with true money, in several orders, looked at and said to be bad, again and again and a week later; some before they were looked at',
    takes: 'goods',
    control:
      'one replacement per piece on one person’s word, and none once somebody has looked: then it takes evidence and another person',
    test: ['voucher/evidence.test.ts', 'who buys a code as a guest and looks at it has it replaced not even once'],
    refusal: 'VOUCHER_NEEDS_EVIDENCE',
    ripens: true,
    async run(thief) {
      const packageId = await codesFor(thief, 'replaced')
      const placed: PlacedOrder[] = []
      for (let nth = 0; nth < TOO_MANY; nth++) placed.push(await thief.order({ packageId }))
      for (const order of placed) await thief.pay(order)
      await thief.it.pass(1)
      for (const [index, order] of placed.entries()) {
        // The last one is replaced before anybody has looked at it, and looked at after.
        if (index < placed.length - 1) await lookAt(thief, order)
        for (let nth = 0; nth < TOO_MANY; nth++) {
          await replaceAll(thief, order)
          await lookAt(thief, order)
        }
      }
      // Those of another day as well: what one may do alone begins anew each day.
      const before = thief.kept.get('bought') ?? ''
      for (const orderNo of before.split(' ').filter(Boolean)) await replaceAll(thief, { orderNo })
      thief.kept.set('bought', placed.map(({ orderNo }) => orderNo).join(' '))
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
      for (const { id } of free?.rows.slice(0, TOO_MANY) ?? [])
        await thief.do(seeVoucher, { body: { id, reason: 'ตรวจสต็อก' } })
    },
  },
} satisfies Record<string, Way>
