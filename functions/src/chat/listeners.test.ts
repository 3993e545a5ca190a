import { resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { TROUBLE } from '@shop/shared/chat/trouble.ts'
import { getHealth } from '@shop/shared/health/endpoints.ts'
import { labelOfMove } from '@shop/shared/value/value.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tell } from '../outbox/outbox.ts'
import { bindRoom, linkLine, staffGroup, unfriend, users } from '../testing/chat.ts'
import { createMailShop, type MailShop } from '../testing/mail.ts'
import { addAccount } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { giveWord, wordOf } from '../testing/words.ts'
import { insertMove } from '../value/store.ts'
import { saveFriend } from './store.ts'
import { watchTroubles } from './watch.ts'

const PULSE_KEY = 'n'.repeat(32)

let it: MailShop
beforeEach(async () => {
  it = await createMailShop({ PULSE_KEYS: PULSE_KEY })
  await addAccount(it, 'manager-2', 'manager')
})
afterEach(() => it.close())

const [friend, ploy] = [users.friend.userId, users.staff.userId]
const group = staffGroup.groupId
const MANAGERS = ['manager', 'manager-2', 'admin']
const mailed = (uid: string) => it.mailedTo(`${uid}@test.shop`)

/** Something large that was done, of which managers are told, or admins. */
async function move(kind: 'refundSent' | 'tierLimits' = 'refundSent') {
  const by = { uid: 'manager', role: 'manager', now: it.clock.now } as const
  const done = { kind, amountSatang: 5_000_000, subject: 'owedRefund:x', note: 'คืนเงิน' } as const
  const id = await insertMove(it.db, by, { ...done, secondUid: 'manager-2', wordId: null, isAlone: false })
  await tell(it.db, { event: 'valueMoved', id, now: it.clock.now })
  await it.drain()
}
const befriend = (lineId: string) => saveFriend(it.db, { lineId, isFriend: true, since: it.clock.now })

describe('where LINE reaches nobody', () => {
  test('what managers are told is mailed to each of them, and what admins are told to those', async () => {
    await move()
    for (const uid of MANAGERS) expect(mailed(uid)).toEqual(['โอนเงินคืนลูกค้า'])
    expect(it.inbox.mails.find(({ to }) => to.includes('manager@test.shop'))!.text).toContain('50,000.00 บาท')
    await move('tierLimits')
    expect([mailed('admin').length, mailed('manager').length, mailed('staff').length]).toEqual([2, 1, 0])
  })

  test('a shop that has mail and no LINE at all mails, too', async () => {
    it.shop.chat = null
    await move()
    for (const uid of MANAGERS) expect(mailed(uid)).toHaveLength(1)
  })

  test('the question for a second person is mailed, the second person gives their word, and it is told', async () => {
    await addWallet(it.db, { uid: 'agent', balanceSatang: 3_000_000, pin: '1234', now: it.clock.now })
    const wordId = await wordOf(it.as('manager'), resetPin, { params: { uid: 'agent' } })
    await it.drain()
    expect(mailed('manager-2')).toEqual([labelOfMove('pinReset')])
    await giveWord(it, 'manager-2', wordId)
    await it.as('manager').call(resetPin, { params: { uid: 'agent' } })
    await it.drain()
    expect(mailed('manager-2')).toHaveLength(2)
  })

  test('a burst is one digest of all that was moved, not a mail for each', async () => {
    for (let turn = 0; turn < 12; turn++) await move()
    const single = mailed('manager').length
    expect(single).toBeLessThan(7)
    it.clock.advance(1200)
    await it.drain()
    expect(mailed('manager').slice(single)).toEqual(['มีงานรอทำ'])
  })
})

test.each([
  ['a bound group', () => bindRoom(it, 'managers')],
  [
    'a manager who is a friend',
    async () => {
      await linkLine(it, 'manager', ploy)
      await befriend(ploy)
    },
  ],
])('with %s nobody is mailed', async (_, link) => {
  await link()
  await move()
  expect(it.inbox.mails).toEqual([])
  expect(it.shownTo(group).length + it.shownTo(ploy).length).toBe(1)
})

test('who is linked and not known as a friend may see nothing in LINE: both are used', async () => {
  await linkLine(it, 'manager', ploy)
  await move()
  expect(it.shownTo(ploy)).toHaveLength(1)
  expect(mailed('manager-2')).toHaveLength(1)
})

test('who has blocked the shop hears nothing in LINE', async () => {
  await linkLine(it, 'manager', ploy)
  await unfriend(it, ploy)
  await move()
  expect(it.shownTo(ploy)).toEqual([])
  expect(mailed('manager')).toHaveLength(1)
})

describe('what LINE refuses', () => {
  beforeEach(async () => {
    for (const [uid, lineId] of [
      ['manager', ploy],
      ['admin', friend],
    ] as const) {
      await linkLine(it, uid, lineId)
      await befriend(lineId)
    }
  })
  const states = (...of: string[]) =>
    it.db.query({
      text: `SELECT state, recipient FROM chat_message WHERE state = ANY($1)`,
      values: [of],
    })

  test('for one of two is no reason to mail; for the last of them it is mailed to all, once', async () => {
    const push = it.shop.chat!.push
    const refused = new Set<string>([ploy])
    it.shop.chat = {
      ...it.shop.chat!,
      push: async message => (refused.has(message.to) ? { kind: 'refused', message: 'no such user' } : push(message)),
    }
    await move()
    expect(await states('dead')).toHaveLength(1)
    expect(it.inbox.mails).toEqual([])
    refused.add(friend)
    await move()
    expect(await states('dead')).toHaveLength(3)
    for (const uid of MANAGERS) expect(mailed(uid)).toHaveLength(1)
    await it.drain()
    expect(mailed('manager')).toHaveLength(1)
    // From now on both are tried, and the mail does not wait for it.
    await move()
    expect(mailed('manager')).toHaveLength(2)
    refused.clear()
    await move()
    await move()
    expect(it.shownTo(friend).length).toBeGreaterThan(1)
    expect(mailed('manager')).toHaveLength(3)
  })

  test('because the month is full is mailed at once', async () => {
    await it.db.query({
      text: 'INSERT INTO chat_channel (name, full_at) VALUES ($1, $2)',
      values: ['line', it.clock.now],
    })
    await move()
    for (const uid of MANAGERS) expect(mailed(uid)).toHaveLength(1)
  })
})

describe('where nothing reaches anybody', () => {
  beforeEach(async () => {
    it.shop.mail = null
    await addWallet(it.db, { uid: 'agent', balanceSatang: 3_000_000, pin: '1234', now: it.clock.now })
  })
  const reset = (uid = 'manager') => it.as(uid).codeOf(resetPin, { params: { uid: 'agent' } })
  const pulse = async () => {
    const headers = { authorization: `Bearer ${PULSE_KEY}` }
    return (await (await it.request('/pulse', { headers })).json()) as { ok: boolean; red: string[] }
  }
  const unheard = async (uid: string) => (await it.as(uid).call(getBacklog, {})).unheard

  test('the landing, the health page and the pulse say so, and stop when somebody hears', async () => {
    expect([await unheard('admin'), await unheard('manager'), await unheard('staff')]).toEqual([
      ['managers', 'admins'],
      ['managers', 'admins'],
      undefined,
    ])
    const check = async () =>
      (await it.as('admin').call(getHealth, {})).checks.find(({ name }) => name === 'nobodyHears')!
    expect(await check()).toMatchObject({
      isRed: true,
      facts: [
        { of: 'managers', value: 1 },
        { of: 'admins', value: 1 },
      ],
    })
    expect((await pulse()).red).toContain('nobodyHears')
    await bindRoom(it, 'managers')
    expect(await unheard('admin')).toEqual(['admins'])
    await linkLine(it, 'admin', friend)
    expect(await unheard('admin')).toBeUndefined()
    expect((await check()).isRed).toBe(false)
    it.clock.advance(6)
    expect((await pulse()).red).not.toContain('nobodyHears')
  })

  test('what is above the two-person amount waits, and is not even asked; what is below goes on', async () => {
    await expect(it.as('manager').call(resetPin, { params: { uid: 'agent' } })).rejects.toMatchObject({
      code: 'NOBODY_HEARS',
      message: expect.stringMatching(/ผูกกลุ่ม LINE.*เชื่อม LINE.*ตั้งค่าอีเมล/),
    })
    expect(await it.db.query({ text: 'SELECT 1 FROM second_word' })).toEqual([])
    await addAccount(it, 'small', 'agent')
    await addWallet(it.db, { uid: 'small', balanceSatang: 10_000, pin: '1234', now: it.clock.now })
    expect(await it.as('manager').codeOf(resetPin, { params: { uid: 'small' } })).toBe('OK')
    await bindRoom(it, 'managers')
    const wordId = await wordOf(it.as('manager'), resetPin, { params: { uid: 'agent' } })
    await giveWord(it, 'manager-2', wordId)
    await it.db.query({ text: 'DELETE FROM chat_room' })
    expect(await reset()).toBe('NOBODY_HEARS')
    await bindRoom(it, 'managers')
    expect(await reset()).toBe('OK')
  })

  test('so does what an only admin would do alone', async () => {
    await it.db.query({ text: `UPDATE account SET role = 'customer' WHERE role = 'manager'` })
    expect(await reset('admin')).toBe('NOBODY_HEARS')
    await linkLine(it, 'admin', friend)
    expect(await reset('admin')).toBe('OK')
  })

  test('a trouble stands until somebody hears, tried anew each hour, and the first who hears is told of it', async () => {
    await bindRoom(it, 'managers')
    await linkLine(it, 'admin', friend)
    const push = it.shop.chat!.push
    let isRefused = true
    it.shop.chat = {
      ...it.shop.chat!,
      push: async message => (isRefused ? { kind: 'refused', message: 'not a member' } : push(message)),
    }
    await move()
    await move('tierLimits')
    expect(await unheard('admin')).toEqual(['managers', 'admins'])
    isRefused = false
    await watchTroubles(it.shop)
    await it.drain()
    expect(it.shownTo(group).some(text => text.startsWith(TROUBLE.nobodyHears.title))).toBe(true)
    expect(await unheard('admin')).toEqual(['admins'])
  })
})
