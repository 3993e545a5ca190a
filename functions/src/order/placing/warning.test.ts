import { listGamePackages } from '@shop/shared/catalogue/endpoints.ts'
import { confirmCredit, takeRefundAsCredit } from '@shop/shared/credit/endpoints.ts'
import type { AppError } from '@shop/shared/errors.ts'
import { confirmCharge } from '@shop/shared/order/charge-endpoints.ts'
import { confirmOrder, confirmPrice } from '@shop/shared/order/endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fixture } from '../../testing/fixture.ts'
import { createGatewayShop, type GatewayShop } from '../../testing/gateway.ts'
import { buyAndRefund } from '../../testing/orders.ts'
import { addAccount, onceKey } from '../../testing/shop.ts'
import { addWallet } from '../../testing/wallet.ts'

const WARNING = 'ใช้ได้กับบัญชี Steam ภูมิภาคไทยเท่านั้น แลกแล้วคืนไม่ได้'
const FIRST = 'ใช้ได้กับบัญชีไทย'

let it: GatewayShop
beforeAll(async () => {
  it = await createGatewayShop()
  await it.db.query({ text: `INSERT INTO option (name, value) VALUES ('SHOP_CREDIT', 'true')` })
  await addWallet(it.db, { uid: 'agent', balanceSatang: 100_000_00, pin: '1234', now: it.clock.now })
  await addAccount(it, 'with-credit', 'customer')
  const { orderNo } = await buyAndRefund(it, it.as('with-credit'))
  await it.as('with-credit').call(takeRefundAsCredit, { params: { orderNo }, idempotencyKey: onceKey() })
})
beforeEach(() => setPackage({ warning: WARNING }))
afterAll(() => it.db.close())

const setPackage = ({ warning = '', isOut = false }) =>
  it.db.query({
    text: 'UPDATE package SET warning = $1, is_out = $2 WHERE id = $3',
    values: [warning, isOut, fixture.pubg.package],
  })

let players = 0
const goods = (acceptedWarning?: string) => ({
  gameId: fixture.pubg.id,
  packageId: fixture.pubg.package,
  playerId: `warned-${++players}`,
  termsVersion: '1',
  acceptedWarning,
})
const WAYS = {
  bank: (accepted?: string) =>
    it.as(null).call(confirmPrice, { body: { ...goods(accepted), receivingAccountId: 1 }, idempotencyKey: onceKey() }),
  gateway: (accepted?: string) =>
    it.as(null).call(confirmCharge, {
      body: { ...goods(accepted), payment: 'promptpay' },
      idempotencyKey: onceKey(),
    }),
  wallet: (accepted?: string) =>
    it.as('agent').call(confirmOrder, { body: { ...goods(accepted), pin: '1234' }, idempotencyKey: onceKey() }),
  credit: (accepted?: string) =>
    it.as('with-credit').call(confirmCredit, { body: goods(accepted), idempotencyKey: onceKey() }),
}
const refusalOf = (buying: Promise<unknown>) =>
  buying.then(
    () => null,
    (error: AppError) => ({ code: error.code, details: error.details }),
  )

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])('bought by %s', way => {
  test('a package with a warning takes its very words, and says them when they are others', async () => {
    const refused = { code: 'WARNING_NOT_ACCEPTED', details: { warning: WARNING } }
    expect(await refusalOf(WAYS[way]())).toEqual(refused)
    expect(await refusalOf(WAYS[way](FIRST))).toEqual(refused)
    const { orderNo, warning } = await WAYS[way](WARNING)
    expect(warning).toBe(WARNING)
    const [row] = await it.db.query<{ kept: string }>({
      text: `SELECT snapshot->>'acceptedWarning' AS kept FROM orders WHERE order_no = $1`,
      values: [orderNo],
    })
    expect(row!.kept).toBe(WARNING)
  })
})

test('a warning that was taken away keeps nobody who accepted it, and the order then has none', async () => {
  await setPackage({})
  expect((await WAYS.bank(WARNING)).warning).toBe('')
  expect((await WAYS.wallet()).warning).toBe('')
})

test('buyers are told what a package delivers, its warning, and that it is sold out, before they choose', async () => {
  const shown = async () =>
    (await it.as(null).call(listGamePackages, { params: { gameCode: 'pubg' } })).find(
      ({ id }) => id === fixture.pubg.package,
    )
  expect(await shown()).toMatchObject({ delivers: 'top_up', warning: WARNING, isOut: false })
  await setPackage({ isOut: true })
  expect(await shown()).toMatchObject({ warning: '', isOut: true })
  expect(await refusalOf(WAYS.bank())).toMatchObject({ code: 'SOLD_OUT' })
})
