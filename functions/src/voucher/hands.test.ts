import { giveSecondWord, listSecondWords } from '@shop/shared/value/endpoints.ts'
import * as contract from '@shop/shared/voucher/endpoints.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SALE_BREACHES } from '../dashboard/sale-day.ts'
import { type CodeShop, codes, createCodeShop, lookAt, sellCodes, stockUp } from '../testing/code-shop.ts'
import { codeOf } from '../testing/orders.ts'
import { addAccount, createTestShop } from '../testing/shop.ts'

let it: CodeShop
beforeAll(async () => {
  it = await createCodeShop()
})
afterAll(() => it?.db.close())
beforeEach(() => it.empty())

const breaches = () => it.db.query({ text: SALE_BREACHES })

describe('a whole code', () => {
  test('is shown to a manager with a reason that is kept; admins are told, and nothing keeps the code', async () => {
    const [code] = codes(1) as [string]
    await stockUp(it, [`${code},99117,S-1`])
    const [{ id }] = (await it.list({ state: 'free' })) as [contract.VoucherView]
    const body = { id, reason: 'ลูกค้าบอกว่าใช้ไม่ได้' }
    expect(await it.as('staff').codeOf(contract.seeVoucher, { body })).toBe('FORBIDDEN')
    expect(await it.as('manager').call(contract.seeVoucher, { body })).toEqual({ code, pin: '99117', serial: 'S-1' })
    expect((await it.entries('voucher.see')).at(-1)!.after).toEqual({
      lastFour: code.replaceAll('-', '').slice(-4),
      reason: body.reason,
    })
    const moves = await it.db.query({
      text: `SELECT FROM value_move WHERE kind = 'codeSeen' AND subject = $1`,
      values: [`voucher:${id}`],
    })
    expect(moves).toHaveLength(1)
    const told = await it.db.query({
      text: `SELECT FROM outbox WHERE kind = 'chat.tell' AND payload->>'event' = 'valueMoved'`,
    })
    expect(told.length).toBeGreaterThan(0)
    for (const secret of [code, code.replaceAll('-', ''), '99117']) expect(await it.isKept(secret)).toBe(false)
  })

  test('counts to the day of who looks at it, and above it is shown only after a second person’s word', async () => {
    await addAccount(it, 'manager-who-looks', 'manager')
    await stockUp(it, codes(2), { costSatang: 1_500_000 })
    const [one, two] = (await it.list({ state: 'free' })) as [contract.VoucherView, contract.VoucherView]
    const see = (id: string) =>
      it.as('manager-who-looks').codeOf(contract.seeVoucher, { body: { id, reason: 'ตรวจสต็อก' } })
    expect([await see(one.id), await see(two.id)]).toEqual(['OK', 'SECOND_WORD_NEEDED'])
    const { rows } = await it.as('admin').call(listSecondWords, {})
    const asked = rows.find(({ kind }) => kind === 'codeSeen')!
    await it.as('admin').call(giveSecondWord, { params: { id: asked.id } })
    expect(await see(two.id)).toBe('OK')
    expect((await it.entries('voucher.see')).at(-1)!.after).toMatchObject({ reason: 'ตรวจสต็อก' })
  })

  test('is not shown more often in an hour than somebody needs', async () => {
    const strict = await createTestShop({ RATE_LIMIT_SEEN_CODES_PER_CALLER: '1' })
    await sellCodes(strict)
    await stockUp(strict, codes(1))
    const [{ id }] = (await strict.as('manager').call(contract.listVouchers, {})).rows as [contract.VoucherView]
    const see = () => strict.as('manager').codeOf(contract.seeVoucher, { body: { id, reason: 'x' } })
    expect([await see(), await see()]).toEqual(['OK', 'RATE_LIMITED'])
    await strict.db.close()
  })
})

describe('a bad code', () => {
  const replace = (orderNo: string, id: string, by = 'staff') =>
    it.as(by).call(contract.replaceVoucher, { body: { orderNo, id, reason: 'ลูกค้าส่งภาพว่าถูกใช้แล้ว' } })
  const onlyOf = async (orderNo: string) => (await it.list({ orderNo, state: 'sold' }))[0]!

  test('is replaced by another of its package, once, however often it is pressed; the order costs both', async () => {
    const [bad, good, spare] = codes(3) as [string, string, string]
    await stockUp(it, [bad, good, spare])
    const { orderNo } = await it.buy()
    const { id } = await onlyOf(orderNo)
    const tries = await Promise.all(Array.from({ length: 5 }, () => codeOf(replace(orderNo, id))))
    expect(tries.sort()).toEqual(['OK', ...Array.from({ length: 4 }, () => 'VOUCHER_NOT_REPLACEABLE')])
    expect([await it.opened(orderNo), await it.opened(orderNo, 'withdrawn')]).toEqual([[good], [bad]])
    expect((await it.stock()).free).toBe(1)
    expect(await it.costOf(orderNo)).toBe(18_000)
    expect(await breaches()).toEqual([])
    const [entry] = (await it.entries('voucher.replace')).slice(-1)
    expect(entry!.after).toMatchObject({ lastFour: good.replaceAll('-', '').slice(-4), reason: 'ลูกค้าส่งภาพว่าถูกใช้แล้ว' })
    // It is never sold again.
    expect(await it.as('manager').codeOf(contract.returnVouchers, { body: { of: { id }, reason: 'x' } })).toBe(
      'VOUCHER_NOT_WITHDRAWN',
    )
    await stockUp(it, codes(1))
    expect((await lookAt(it, bad)).known.count).toBe(1)
  })

  test('stays where there is no other, and where the money was given back', async () => {
    await stockUp(it, codes(1))
    const { orderNo } = await it.buy()
    const { id } = await onlyOf(orderNo)
    expect(await codeOf(replace(orderNo, id))).toBe('VOUCHER_NONE_LEFT')
    expect((await onlyOf(orderNo)).id).toBe(id)
    await stockUp(it, codes(1))
    await it.db.query({ text: `UPDATE orders SET status = 'refunded' WHERE order_no = $1`, values: [orderNo] })
    expect(await codeOf(replace(orderNo, id))).toBe('VOUCHER_NOT_REPLACEABLE')
    await it.db.query({ text: `UPDATE orders SET status = 'success' WHERE order_no = $1`, values: [orderNo] })
    expect(await codeOf(replace(orderNo, id))).toBe('OK')
  })

  test('of one’s own order is another’s to replace, and no other order’s code is', async () => {
    await stockUp(it, codes(3))
    const { orderNo } = await it.buy(it.as('staff'))
    const { id } = await onlyOf(orderNo)
    expect(await codeOf(replace(orderNo, id))).toBe('OWN_ORDER')
    const other = await it.buy()
    expect(await codeOf(replace(other.orderNo, id))).toBe('VOUCHER_NOT_REPLACEABLE')
    expect(await codeOf(replace(orderNo, id, 'manager'))).toBe('OK')
  })

  test('counts to the day of who replaces it, managers are told each time, and above it a second person is asked', async () => {
    await addAccount(it, 'staff-of-codes', 'staff')
    await stockUp(it, codes(3))
    const orderNo = await it.buyMany(2)
    const [one, two] = (await it.list({ orderNo, state: 'sold' })) as [contract.VoucherView, contract.VoucherView]
    const before = await it.db.query({ text: `SELECT FROM outbox WHERE payload->>'event' = 'valueMoved'` })
    expect(await codeOf(replace(orderNo, one.id, 'staff-of-codes'))).toBe('OK')
    expect(await it.db.query({ text: `SELECT FROM outbox WHERE payload->>'event' = 'valueMoved'` })).toHaveLength(
      before.length + 1,
    )
    await stockUp(it, codes(1))
    await it.db.query({
      text: `UPDATE value_move SET amount_satang = 100000000 WHERE kind = 'codeReplaced' AND actor_uid = 'staff-of-codes'`,
    })
    expect(await codeOf(replace(orderNo, two.id, 'staff-of-codes'))).toBe('SECOND_WORD_NEEDED')
    expect((await it.list({ orderNo, state: 'sold' })).map(({ id }) => id)).toContain(two.id)
  })
})
