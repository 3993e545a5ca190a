import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import { saveOption } from '@shop/shared/settings/endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { routes } from '../app.ts'
import { price } from '../testing/catalogue.ts'
import { type ChatShop, createChatShop, linkLine, users } from '../testing/chat.ts'
import { fixture } from '../testing/fixture.ts'
import { addAccount } from '../testing/shop.ts'
import { giveWord, wordOf } from '../testing/words.ts'

let it: ChatShop
beforeEach(async () => {
  it = await createChatShop()
  await addAccount(it, 'admin-2', 'admin')
  await linkLine(it, 'admin', users.friend.userId)
  await linkLine(it, 'manager', users.staff.userId)
})
afterEach(() => it.close())

const [admin, manager] = [users.friend.userId, users.staff.userId]

test('what guards money is told to each admin one by one, and to no manager; the question goes to those who may answer it', async () => {
  const body = { optionName: 'TWO_PERSON_APPROVAL_AMOUNT' as const, optionValue: '50000', fromValue: '20000' }
  const wordId = await wordOf(it.as('admin-2'), saveOption, { body })
  await it.drain()
  expect(it.shownTo(admin)).toEqual(['รอคนที่สองยืนยัน ผ่อนการตั้งค่าที่คุ้มครองเงิน โดย admin-2'])
  await giveWord(it, 'admin', wordId)
  await it.drain()
  expect(it.shownTo(admin).at(-1)).toMatch(/^ผ่อนการตั้งค่าที่คุ้มครองเงิน โดย admin-2 .*20000 → 50000$/)
  expect(it.shownTo(manager)).toEqual([])
})

test('a question that was answered meanwhile is no news any more', async () => {
  const body = { optionName: 'TWO_PERSON_APPROVAL_AMOUNT' as const, optionValue: '50000', fromValue: '20000' }
  await giveWord(it, 'admin', await wordOf(it.as('admin-2'), saveOption, { body }))
  await it.drain()
  expect(it.shownTo(admin)).toHaveLength(1)
})

test('what managers do is told to managers, the question and that it was done', async () => {
  await it.db.query({ text: 'UPDATE package SET cost_satang = 10000 WHERE id = $1', values: [fixture.pubg.package] })
  const body = { packageId: fixture.pubg.package, version: 1, prices: [price('bank', { priceSatang: 1100 })] }
  const wordId = await wordOf(it.as('manager'), contract.savePrices, { body })
  await giveWord(it, 'admin', wordId)
  await it.drain()
  expect(it.shownTo(manager)).toEqual([expect.stringContaining('ขาดทุนชิ้นละ 89.00 บาท')])
})

test('no call that waits for a second person holds a password, a PIN or a code, nor a file', () => {
  const held = routes.filter(({ endpoint }) => endpoint.secondWord)
  expect(held.length).toBeGreaterThan(10)
  for (const { endpoint } of held) {
    const shape = (endpoint.body as { shape?: object } | undefined)?.shape ?? {}
    const secret = Object.keys(shape).filter(name => /password|pin|code$/i.test(name) && name !== 'code')
    expect([endpoint.path, endpoint.bodyKind, secret]).toEqual([endpoint.path, undefined, []])
  }
})
