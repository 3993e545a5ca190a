import { OWNER_NEWS } from '@shop/shared/account/news.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import { makeChatCode, unbindChatRoom } from '@shop/shared/chat/endpoints.ts'
import { saveOption } from '@shop/shared/settings/endpoints.ts'
import { refuseSecondWord } from '@shop/shared/value/endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { useCode } from '../chat/binding.ts'
import { watchTroubles } from '../chat/watch.ts'
import { tell } from '../outbox/outbox.ts'
import { routes } from '../start/app.ts'
import { price } from '../testing/catalogue.ts'
import { bindRoom, type ChatShop, createChatShop, linkLine, staffGroup, users } from '../testing/chat.ts'
import { fixture } from '../testing/fixture.ts'
import { addAccount } from '../testing/shop.ts'
import { giveWord, wordOf } from '../testing/words.ts'
import { insertMove } from './store.ts'

let it: ChatShop
beforeEach(async () => {
  it = await createChatShop()
  await addAccount(it, 'admin-2', 'admin')
  await linkLine(it, 'admin', users.friend.userId)
  await linkLine(it, 'manager', users.staff.userId)
})
afterEach(() => it.close())

const group = staffGroup.groupId
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
  expect(it.shownTo(manager).sort()).toEqual([
    expect.stringContaining('ขาดทุนชิ้นละ 89.00 บาท'),
    expect.stringContaining(OWNER_NEWS.wordGiven.title),
  ])
})

test('who asked hears what became of it, by whom and why; who takes the own question back hears nothing', async () => {
  await it.db.query({ text: 'UPDATE package SET cost_satang = 10000 WHERE id = $1', values: [fixture.pubg.package] })
  const ask = (satang: number) => {
    const body = { packageId: fixture.pubg.package, version: 1, prices: [price('bank', { priceSatang: satang })] }
    return wordOf(it.as('manager'), contract.savePrices, { body })
  }
  const reason = 'ต้นทุนเดือนนี้สูงกว่านี้'
  await it.as('admin').call(refuseSecondWord, { params: { id: await ask(1100) }, body: { reason } })
  await it.as('manager').call(refuseSecondWord, { params: { id: await ask(1200) }, body: { reason: 'พิมพ์ผิด' } })
  const stale = await ask(1300)
  await it.db.query({ text: 'UPDATE package SET version = version + 1 WHERE id = $1', values: [fixture.pubg.package] })
  await expect(giveWord(it, 'admin', stale)).rejects.toThrow()
  await it.drain()
  expect(it.shownTo(manager)).toEqual(Array(2).fill(expect.stringContaining(OWNER_NEWS.wordRefused.title)))
  const news = await it.db.query<{ facts: { asked: string; reason: string; byName: string } }>({
    text: `SELECT facts FROM owner_news WHERE kind = 'wordRefused' AND uid = 'manager' ORDER BY at, id`,
  })
  expect(news.map(({ facts }) => facts)).toMatchObject([
    { asked: expect.stringContaining('ขาดทุนชิ้นละ 89.00 บาท'), reason, byName: 'admin' },
    { asked: expect.stringContaining('ขาดทุนชิ้นละ 87.00 บาท'), byName: 'admin' },
  ])
})

test('no call that waits for a second person holds a password, a PIN or a code, nor a file', () => {
  const held = routes.filter(({ endpoint }) => endpoint.secondWord)
  expect(held.length).toBeGreaterThan(10)
  for (const { endpoint } of held) {
    const shape = (endpoint.body as { shape?: object } | undefined)?.shape ?? {}
    // What is left out of the digest of a repeated call is kept nowhere.
    const left = endpoint.secondWord === 'repeats' ? (endpoint.secrets ?? []) : []
    const secret = Object.keys(shape).filter(
      name => /password|pin|code$/i.test(name) && name !== 'code' && !left.includes(name),
    )
    expect([endpoint.path, endpoint.bodyKind, secret]).toEqual([endpoint.path, undefined, []])
  }
})

const move = (uid: string, amountSatang: number, kind: 'refundSent' | 'tierLimits' = 'refundSent') =>
  insertMove(
    it.db,
    { uid, role: 'manager', now: it.clock.now },
    { kind, amountSatang, subject: 'owedRefund:x', note: 'x', secondUid: null, wordId: null, isAlone: false },
  )

test('in the evening managers are told once what each person moved since the evening before, small moves too', async () => {
  await bindRoom(it, 'managers')
  it.clock.now = new Date('2026-11-21T12:59:00.000Z')
  for (const [uid, amount] of [
    ['manager', 14_900],
    ['manager', 20_000],
    ['staff', 50_000],
  ] as const)
    await move(uid, amount)
  // What opens a way was told when it happened, and has no amount.
  await move('admin', 0, 'tierLimits')
  await watchTroubles(it.shop)
  await it.drain()
  expect(it.shownTo(group)).toEqual([])
  it.clock.advance(60)
  for (let turn = 0; turn < 3; turn++) {
    await watchTroubles(it.shop)
    await it.drain()
    it.clock.advance(300)
  }
  expect(it.shownTo(group)).toEqual([
    'การเคลื่อนย้ายมูลค่าใน 24 ชั่วโมง staff 1 รายการ 500.00 บาท · manager 2 รายการ 349.00 บาท',
  ])
  // A day on which nobody moved anything has no message.
  it.clock.advance(24 * 3600)
  await watchTroubles(it.shop)
  await it.drain()
  expect(it.shownTo(group)).toHaveLength(1)
})

test('in a burst the digest names who moved how much: nothing told one by one is left out', async () => {
  await bindRoom(it, 'managers')
  // Several are told at the same time, before any of them sees that it is a burst.
  for (let turn = 0; turn < 20; turn++) {
    const id = await move('manager', 10_000)
    await tell(it.db, { event: 'valueMoved', id, now: it.clock.now })
  }
  await it.drain()
  const single = it.shownTo(group).length
  expect(single).toBeLessThan(20)
  it.clock.advance(1200)
  await it.drain()
  expect(it.shownTo(group).slice(single)).toEqual([expect.stringContaining('manager 20 รายการ 2,000.00 บาท')])
})

test('taking the managers’ group away, or putting another in its place, is told to every admin themself; the staff’s is not', async () => {
  await bindRoom(it, 'staff', users.stranger.userId)
  const told = () => it.shownTo(admin).filter(text => text.startsWith(OWNER_NEWS.managersRoom.title))
  const { code } = await it.as('manager').call(makeChatCode, { body: { purpose: 'managers' } })
  const at = it.clock.now.toISOString()
  const typed = {
    eventId: 'typed',
    at,
    userId: manager,
    groupId: group,
    replyToken: null,
    what: { is: 'left' },
  } as const
  const answer = await useCode(it.shop, typed, code)
  expect(answer).toMatchObject({ kind: 'codeAccepted' })
  await it.drain()
  expect(told()).toHaveLength(1)
  it.clock.advance(60)
  for (const room of ['managers', 'staff'] as const) await it.as('manager').call(unbindChatRoom, { params: { room } })
  await it.drain()
  expect(told()).toHaveLength(2)
  const news = await it.db.query<{ uid: string; facts: object }>({
    text: `SELECT uid, facts FROM owner_news WHERE kind = 'managersRoom' ORDER BY at, uid`,
  })
  expect(news.map(({ uid }) => uid).toSorted()).toEqual(['admin', 'admin', 'admin-2', 'admin-2'])
  expect(news.at(-1)!.facts).toEqual({ groupName: null, byName: 'manager' })
})
