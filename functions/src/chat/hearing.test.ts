import { formatCode } from '@shop/shared/chat/words.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { addLinked, type ChatShop, linkLine } from '../testing/chat.ts'
import { friend, group, MINE, other, ploy, useHearing } from '../testing/hearing.ts'
import { addAccount } from '../testing/shop.ts'
import { makeCode } from './binding.ts'
import { saveFriend } from './store.ts'
import { watchTroubles } from './watch.ts'

let it: ChatShop
const { paidOrder, orderOf, press, say, last } = useHearing(made => {
  it = made
})

describe('staff work from the chat', () => {
  test('the buttons of the card claim and complete, and the customer is told', async () => {
    await saveFriend(it.db, { lineId: friend, isFriend: true, since: it.clock.now })
    await addLinked(it, 'namkhao', 'customer', friend)
    const orderNo = await paidOrder('namkhao')
    const card = it.line.state.sentMessages.at(-1)!
    await it.line.control.pressButton(ploy, card.messageId, 'รับเรื่อง')
    await it.drain()
    expect(await orderOf(orderNo)).toMatchObject({ status: 'processing', by: 'staff' })
    expect(last()).toMatch(/^คิว \d+ · staff รับเรื่องแล้ว/)
    await press(`complete ${orderNo} 0`)
    expect(last()).toContain(`เสร็จ ${orderNo} `)
    await say(`เสร็จ ${orderNo} MB-88 213`)
    expect(await orderOf(orderNo)).toEqual({ status: 'success', by: 'staff', reference: 'MB-88 213' })
    expect(last()).toContain('เสร็จแล้ว กำลังแจ้งลูกค้าใน LINE')
    expect(last(friend)).toMatch(/^เติมสำเร็จ/)
    expect(it.line.state.totalUsage).toBe(2)
  })

  test('who presses later is told who has it, and who pressed twice that it is theirs', async () => {
    const orderNo = await paidOrder()
    await press(`claim ${orderNo}`)
    await press(`claim ${orderNo}`, other)
    expect(last()).toBe(`${orderNo}: คำสั่งซื้อนี้มีผู้รับเรื่องแล้ว staff`)
    await press(`complete ${orderNo}`, other)
    expect(last()).toContain('มีผู้รับเรื่องแล้ว staff')
    await say(`เสร็จ ${orderNo} X`, other)
    expect(await orderOf(orderNo)).toMatchObject({ status: 'processing', by: 'staff' })
    await press(`claim ${orderNo}`)
    expect(last()).toMatch(MINE)
  })

  test('of two who press in the same moment one has it', async () => {
    const orderNo = await paidOrder()
    it.line.control.holdEvents()
    for (const userId of [ploy, other]) await it.line.control.pressPostback(userId, group, { data: `claim ${orderNo}` })
    await it.line.control.releaseEvents({})
    await it.drain()
    expect((await orderOf(orderNo)).status).toBe('processing')
    const answers = it.shownTo(group)
    expect(answers.filter(text => MINE.test(text))).toHaveLength(1)
    expect(answers.filter(text => text.includes('มีผู้รับเรื่องแล้ว'))).toHaveLength(1)
  })

  test('what is claimed first by the button is completed only by who has it; unclaimed by nobody', async () => {
    const orderNo = await paidOrder()
    await press(`complete ${orderNo}`)
    expect(last()).toContain('กรุณากดรับเรื่องก่อน')
    await say(`เสร็จ ${orderNo} X`)
    expect(await orderOf(orderNo)).toMatchObject({ status: 'paid', by: null })
  })

  test('an old button of an order that ended says how it stands', async () => {
    const orderNo = await paidOrder()
    await press(`claim ${orderNo}`)
    await say(`เสร็จ ${orderNo} X`)
    await press(`claim ${orderNo}`, other)
    expect(last()).toContain('สถานะตอนนี้คือ สำเร็จ')
    await say(`เสร็จ ${orderNo} X`)
    expect(last()).toContain('เสร็จแล้ว')
    await press('claim KT2611-99999999')
    expect(last()).toContain('ไม่พบคำสั่งซื้อนี้')
  })

  test('nobody serves their own order, a manager takes over nobody from here', async () => {
    const own = await paidOrder('staff')
    await press(`claim ${own}`)
    expect(last()).toContain('คำสั่งซื้อของตนเอง')
    const boss = `U${'8'.repeat(32)}`
    it.line.control.createUser({ userId: boss, displayName: 'วิภา', friendship: 'friend' })
    await linkLine(it, 'manager', boss)
    const orderNo = await paidOrder()
    await press(`claim ${orderNo}`)
    await say(`เสร็จ ${orderNo} X`, boss)
    expect(await orderOf(orderNo)).toMatchObject({ status: 'processing', by: 'staff' })
  })
})

describe('who may not', () => {
  test.each([
    ['a customer', () => addLinked(it, 'namkhao', 'customer', friend), 'ยังไม่ได้เชื่อม LINE กับบัญชีทีมงาน'],
    ['who is not linked', async () => {}, 'ยังไม่ได้เชื่อม LINE กับบัญชีทีมงาน'],
    [
      'who is of the staff no more',
      async () => {
        await addLinked(it, 'former', 'staff', friend)
        await it.db.query({ text: `UPDATE account SET role = 'customer' WHERE uid = 'former'` })
      },
      'ยังไม่ได้เชื่อม LINE กับบัญชีทีมงาน',
    ],
    [
      'who was suspended',
      async () => {
        await addAccount(it, 'gone', 'staff', { status: 'inactive' })
        await linkLine(it, 'gone', friend)
      },
      'ถูกระงับ',
    ],
    [
      'who must change their password first',
      async () => {
        await addAccount(it, 'new', 'staff', { mustChangePassword: true })
        await linkLine(it, 'new', friend)
      },
      'กรุณาเปลี่ยนรหัสผ่าน',
    ],
  ])('%s claims nothing and is told why', async (_, prepare, told) => {
    await prepare()
    const orderNo = await paidOrder()
    await press(`claim ${orderNo}`, friend)
    expect(last()).toContain(told)
    expect((await orderOf(orderNo)).status).toBe('paid')
  })

  test('a press without a name claims nothing: the answer is a link', async () => {
    const orderNo = await paidOrder()
    await press(`claim ${orderNo}`, ploy, { withoutUserId: true })
    expect((await orderOf(orderNo)).status).toBe('paid')
    const { message } = it.line.state.sentMessages.at(-1)!
    expect(JSON.stringify(message)).toContain(`/management/details/${orderNo}`)
  })

  test('a group that is none of the shop is answered nothing', async () => {
    const strangers = it.line.control.createGroup({ groupName: 'อื่น', memberIds: [ploy], botJoined: true })
    const orderNo = await paidOrder()
    await press(`claim ${orderNo}`, ploy, {}, strangers.groupId)
    expect((await orderOf(orderNo)).status).toBe('paid')
    expect(it.shownTo(strangers.groupId)).toEqual([])
  })
})

describe('what LINE tells', () => {
  const isFriend = async () => {
    const [row] = await it.db.query<{ is: boolean }>({
      text: 'SELECT is_friend AS is FROM chat_friend WHERE line_id = $1',
      values: [friend],
    })
    return row!.is
  }

  const jobs = async () => (await it.db.query({ text: `SELECT 1 FROM outbox WHERE kind = 'chat.hear'` })).length

  test.each(['wrong', 'missing'] as const)('with a %s signature is refused and leaves nothing', async signature => {
    const orderNo = await paidOrder()
    const delivery = await press(`claim ${orderNo}`, ploy, { signature })
    expect(delivery).toMatchObject({ statusCode: 403 })
    expect(await jobs()).toBe(0)
  })

  test.each(['compact', 'pretty', 'escaped'] as const)(
    'written %s is read, as its signature is over the bytes',
    async encoding => {
      await addLinked(it, 'namkhao', 'customer', friend)
      const delivery = await press('status', friend, { encoding }, friend)
      expect(delivery).toMatchObject({ statusCode: 200 })
      expect(last(friend)).toBe('ยังไม่พบคำสั่งซื้อของบัญชี LINE นี้')
    },
  )

  test('twice is done once, and answered once', async () => {
    const orderNo = await paidOrder()
    await press(`claim ${orderNo}`)
    const said = it.shownTo(group).length
    await it.line.control.redeliver()
    await it.line.control.redeliver()
    await it.drain()
    expect(it.shownTo(group)).toHaveLength(said)
    expect(await jobs()).toBe(1)
  })

  test('of a press that is sent anew under another id, after the order ended: nothing is done a second time', async () => {
    await addLinked(it, 'namkhao', 'customer', friend)
    const orderNo = await paidOrder('namkhao')
    await press(`claim ${orderNo}`)
    await say(`เสร็จ ${orderNo} MB-1`)
    const told = it.shownTo(friend).length
    await press(`claim ${orderNo}`)
    await say(`เสร็จ ${orderNo} MB-2`)
    await it.drain()
    expect(await orderOf(orderNo)).toEqual({ status: 'success', by: 'staff', reference: 'MB-1' })
    expect(it.shownTo(friend)).toHaveLength(told)
  })

  test('is answered before anything follows from it, however LINE itself is', async () => {
    const orderNo = await paidOrder()
    it.line.control.injectFault({ path: '/v2/bot/message/reply', delaySeconds: 30, count: 10 })
    const delivery = await it.line.control.pressPostback(ploy, group, { data: `claim ${orderNo}` })
    expect(delivery).toMatchObject({ outcome: 'ok', statusCode: 200 })
    expect((await orderOf(orderNo)).status).toBe('paid')
    await it.drain()
    expect((await orderOf(orderNo)).status).toBe('processing')
  })

  test('of kinds that come later, or nothing at all, is taken without a word', async () => {
    const deliveries = [
      await it.line.control.sendRawEvents([{ type: 'hologram' }, { type: 'membership', source: undefined }]),
      await it.line.control.sendRawEvents([]),
    ]
    expect(deliveries.map(delivery => delivery?.statusCode)).toEqual([200, 200])
    expect(await jobs()).toBe(0)
  })

  test('out of order leaves the friendship as LINE told of last', async () => {
    it.line.control.holdEvents()
    await it.line.control.unfollow(friend)
    it.clock.advance(1)
    await it.line.control.follow(friend)
    await it.line.control.releaseEvents({ order: 'reversed', together: false })
    await it.drain()
    expect(await isFriend()).toBe(true)
    it.clock.advance(1)
    await it.line.control.unfollow(friend)
    await it.drain()
    expect(await isFriend()).toBe(false)
  })

  test('about a reply that was lost: the button has worked, and the answer comes or is given up', async () => {
    const orderNo = await paidOrder()
    it.line.control.injectFault({ path: '/v2/bot/message/reply', status: 500, afterAcceptance: true })
    await press(`claim ${orderNo}`)
    it.clock.advance(3)
    await it.drain()
    expect(it.shownTo(group).filter(text => MINE.test(text))).toHaveLength(1)
    expect((await orderOf(orderNo)).status).toBe('processing')
    expect(await it.db.query({ text: `SELECT 1 FROM chat_message WHERE state IN ('waiting', 'dead')` })).toEqual([])
  })
})

describe('a customer', () => {
  beforeEach(() => addLinked(it, 'namkhao', 'customer', friend))

  test('asks how the order stands and is told for free', async () => {
    await paidOrder('namkhao')
    const used = it.line.state.totalUsage
    for (const ask of ['สถานะ', 'status']) await say(ask, friend, friend)
    await press('status', friend, {}, friend)
    expect(it.shownTo(friend)).toEqual(Array(3).fill('ได้รับเงินแล้ว PUBG Mobile 325 UC'))
    expect(it.line.state.totalUsage).toBe(used)
  })

  test('who becomes a friend while an order is under way is told how it stands; else nobody is greeted', async () => {
    await it.line.control.follow(friend)
    await it.drain()
    expect(it.shownTo(friend)).toEqual([])
    await paidOrder('namkhao')
    await it.line.control.follow(friend)
    await it.drain()
    expect(it.shownTo(friend)).toEqual([expect.stringMatching(/^ได้รับเงินแล้ว/)])
  })

  test("nobody's order is told in a group", async () => {
    await paidOrder('namkhao')
    const said = it.shownTo(group).length
    await say('สถานะ', friend)
    expect(it.shownTo(group)).toHaveLength(said)
  })
})

describe('a code', () => {
  const codeFor = async (uid: string, purpose: 'staff' | 'managers' | 'person') =>
    formatCode(
      (await makeCode(it.shop, { uid, role: 'manager', now: it.clock.now, findUnheard: it.shop.findUnheard }, purpose))
        .code,
    )
  const rooms = () =>
    it.db.query<{ room: string; groupName: string; memberCount: number }>({
      text: 'SELECT room, group_name AS "groupName", member_count AS "memberCount" FROM chat_room ORDER BY room',
    })

  test('makes the group that it is typed in a room, once and within ten minutes', async () => {
    const bosses = it.line.control.createGroup({ groupName: 'ผู้จัดการ', memberIds: [ploy, other], botJoined: true })
    const code = await codeFor('manager', 'managers')
    await say('0812345678', ploy, bosses.groupId)
    expect(it.shownTo(bosses.groupId)).toEqual([])
    await say(code, ploy, bosses.groupId)
    expect(last(bosses.groupId)).toMatch(/^ผูกกลุ่มนี้กับร้านแล้ว/)
    expect(await rooms()).toContainEqual({ room: 'managers', groupName: 'ผู้จัดการ', memberCount: 2 })
    const again = it.line.control.createGroup({ groupName: 'อีกกลุ่ม', memberIds: [ploy], botJoined: true })
    await say(code, ploy, again.groupId)
    const late = await codeFor('manager', 'managers')
    it.clock.advance(601)
    await say(late, ploy, again.groupId)
    expect((await rooms()).map(({ groupName }) => groupName)).not.toContain('อีกกลุ่ม')
  })

  test('of another group takes the place of the first; a group is one room only', async () => {
    await say(await codeFor('manager', 'managers'))
    expect(last()).toContain('ผูกกับร้านไว้แล้ว')
    const next = it.line.control.createGroup({ groupName: 'ทีมใหม่', memberIds: [ploy], botJoined: true })
    await say(await codeFor('manager', 'staff'), ploy, next.groupId)
    expect(await rooms()).toEqual([{ room: 'staff', groupName: 'ทีมใหม่', memberCount: 1 }])
  })

  test("links its owner's LINE in a chat of their own, not in a group", async () => {
    await it.db.query({ text: `DELETE FROM linked_identity WHERE uid = 'staff'` })
    await say(await codeFor('staff', 'person'))
    expect(last()).toContain('แชทส่วนตัว')
    await say(await codeFor('staff', 'person'), ploy, ploy)
    expect(last(ploy)).toMatch(/^เชื่อม LINE นี้กับบัญชี staff แล้ว กดรับเรื่องจากแชทได้เลย\n.*ไม่เห็นคำสั่งซื้อ/)
    const orderNo = await paidOrder()
    await press(`claim ${orderNo}`)
    expect(await orderOf(orderNo)).toMatchObject({ by: 'staff' })
    await say(await codeFor('admin', 'person'), ploy, ploy)
    expect(last(ploy)).toContain('ถูกเชื่อมกับผู้ใช้อื่นแล้ว')
  })

  test('when the shop is taken out of a group, managers hear of it, and who binds it anew gets what waits', async () => {
    const boss = `U${'8'.repeat(32)}`
    it.line.control.createUser({ userId: boss, displayName: 'วิภา', friendship: 'friend' })
    await linkLine(it, 'manager', boss)
    const before = await paidOrder()
    it.clock.advance(1)
    await it.line.control.leaveGroup(group)
    await it.drain()
    await watchTroubles(it.shop)
    await it.drain()
    expect(it.shownTo(boss)).toContainEqual(expect.stringMatching(/^ร้านถูกนำออกจากกลุ่ม LINE/))
    const missed = await paidOrder()
    const shown = it.shownTo(group).length
    it.clock.advance(1)
    await it.line.control.joinGroup(group)
    await press(`claim ${before} 0`)
    expect(last()).toContain('ยังไม่ได้ผูกกับร้านใหม่')
    expect((await orderOf(before)).status).toBe('paid')
    await say(await codeFor('manager', 'staff'))
    const cards = it.line.state.sentMessages.filter(({ to }) => to === group).slice(shown)
    expect(JSON.stringify(cards).split(`claim ${missed}`)).toHaveLength(2)
    expect(JSON.stringify(cards)).not.toContain(`claim ${before}`)
    expect(await it.db.query({ text: 'SELECT 1 FROM chat_room WHERE lost_at IS NULL' })).toHaveLength(1)
  })
})
