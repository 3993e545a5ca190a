import {
  changePassword,
  confirmTotp,
  enrolTotp,
  linkLine,
  resetTotp,
  unlinkProvider,
  updateUserAuthentication,
} from '@shop/shared/account/endpoints.ts'
import { MOST_SPENDS_TOLD, OWNER_NEWS } from '@shop/shared/account/news.ts'
import { changePin, resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { SESSION_KEY } from '@shop/shared/account/totp.ts'
import { confirmOrder } from '@shop/shared/order/endpoints.ts'
import { labelOfMove } from '@shop/shared/value/value.ts'
import { demoLine } from 'local/line-emulator/demo.ts'
import { type TOTP, URI } from 'otpauth'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { linkLine as linkIdentity } from '../access/links.ts'
import { tellOwner } from '../access/news.ts'
import { setPin } from '../access/pin.ts'
import { tellDailySpending, tellSpends } from '../order/placing/spend-news.ts'
import { bindRoom, linkLine as putLink, staffGroup, unfriend, users } from '../testing/chat.ts'
import { createMailShop, type MailShop } from '../testing/mail.ts'
import { onceKey } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { saveFriend } from './store.ts'

let it: MailShop
beforeEach(async () => {
  it = await createMailShop({
    LINE_LOGIN_CHANNEL_ID: demoLine.loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: demoLine.loginChannel.secret,
  })
  await addWallet(it.db, { uid: 'agent', balanceSatang: 150_000, pin: '1234', now: it.clock.now })
})
afterEach(() => it.close())

const mail = 'agent@test.shop'
const friend = users.friend.userId
const thief = users.stranger.userId
const titleOf = (...kinds: (keyof typeof OWNER_NEWS)[]): string[] => kinds.map(kind => OWNER_NEWS[kind].title)

const resetPassword = () =>
  it.as('manager').call(updateUserAuthentication, { body: { uid: 'agent', password: 'given by staff' } })
const giveNewPin = () => it.as('manager').call(resetPin, { params: { uid: 'agent' } })
const body = { gameId: 1, packageId: 1, playerId: '51', termsVersion: '1' }
const buy = (pin: string) => it.as('agent').call(confirmOrder, { body: { ...body, pin }, idempotencyKey: onceKey() })

const linkOwn = () => putLink(it, 'agent', friend)
const befriend = () => saveFriend(it.db, { lineId: friend, isFriend: true, since: it.clock.now })
const titlesShownTo = (lineId: string) => it.shownTo(lineId).map(alt => alt.split(' เมื่อ ')[0])
/** What several jobs at once send comes in any order. */
const sorted = (titles: (string | undefined)[]) => titles.toSorted()

/** So many more purchases like the agent's last one, all in this moment. */
const addPurchases = (count: number) =>
  it.db.query({
    text: `INSERT INTO orders SELECT (jsonb_populate_record(NULL::orders, to_jsonb(o) || jsonb_build_object('id', gen_random_uuid(), 'created_at', $2::timestamptz,
        'order_no', o.order_no || '-' || n, 'track_token', gen_random_uuid(), 'queue_no', o.queue_no + 1000 * n))).*
      FROM (SELECT * FROM orders WHERE wallet_id IS NOT NULL ORDER BY created_at DESC, order_no DESC LIMIT 1) o, generate_series(1, $1::int) n`,
    values: [count, it.clock.now],
  })

test('an agent whose password and PIN staff reset and changed, and whose money was spent, is told each of it at once', async () => {
  await resetPassword()
  const { pin } = await giveNewPin()
  // Whoever reset it signs in with what they gave, takes it for their own and buys.
  it.clock.advance(2)
  await it.as('agent').call(changePassword, { body: { password: 'chosen by a thief' } })
  it.clock.advance(2)
  await it.as('agent').call(changePin, { body: { oldPin: pin, pin: '7777' } })
  const { orderNo } = await buy('7777')
  await tellSpends(it.shop)
  await it.drain()
  expect(sorted(it.mailedTo(mail))).toEqual(
    sorted(titleOf('passwordReset', 'pinReset', 'passwordChanged', 'pinChanged', 'spentAfterChange')),
  )
  const reset = it.inbox.mails.find(({ headers }) => headers.subject!.startsWith(OWNER_NEWS.pinReset.title))
  expect(reset!.text).toContain('โดย: ทีมงานร้าน')
  expect(reset!.text).not.toMatch(/given by staff|chosen by a thief/)
  expect(it.inbox.mails.filter(({ text }) => text.includes(orderNo))).toHaveLength(1)
  for (const each of it.inbox.mails) expect(each.text).not.toMatch(new RegExp(`${pin}|7777`))
})

test('one who has LINE is told there and by mail, also that the reset took it away', async () => {
  await linkOwn()
  await resetPassword()
  await giveNewPin()
  await it.drain()
  const told = sorted(titleOf('passwordReset', 'signInUnlinked', 'pinReset'))
  expect(sorted(titlesShownTo(friend))).toEqual(told)
  expect(sorted(it.mailedTo(mail))).toEqual(told)
})

describe('a LINE identity that somebody else links', () => {
  const proof = async (userId: string) => ({ idToken: await it.line.control.issueIdToken(userId) })

  test('is told to the mail, and to who had been linked; whatever is done with it, the owner is told', async () => {
    await it.as('agent').call(linkLine, { body: await proof(thief) })
    it.clock.advance(60)
    await it.as('agent').call(unlinkProvider, { params: { provider: 'line' } })
    await giveNewPin()
    await it.drain()
    expect(sorted(it.mailedTo(mail))).toEqual(sorted(titleOf('signInLinked', 'signInUnlinked', 'pinReset')))
    const linked = it.inbox.mails.find(({ headers }) => headers.subject!.startsWith(OWNER_NEWS.signInLinked.title))
    expect(linked!.text).toContain('วิธี: LINE')
    expect(linked!.text).toContain('โดย: จากบัญชีของคุณ')
    expect(linked!.text).toContain('เข้าสู่ระบบด้วย: อีเมลและรหัสผ่าน')
  })

  test('in place of the own one is told to the own one, also what comes days later', async () => {
    await linkOwn()
    await it.as('agent').call(unlinkProvider, { params: { provider: 'line' } })
    await it.as('agent').call(linkLine, { body: await proof(thief) })
    it.clock.advance(2 * 86_400)
    await giveNewPin()
    await it.drain()
    expect(sorted(titlesShownTo(friend))).toEqual(sorted(titleOf('signInUnlinked', 'signInLinked', 'pinReset')))
    it.clock.advance(4 * 86_400)
    await giveNewPin()
    await it.drain()
    expect(titlesShownTo(friend)).toHaveLength(3)
  })
})

describe('a purchase', () => {
  test('is told at once only within three days after a change, and once', async () => {
    await buy('1234')
    it.clock.advance(60)
    await giveNewPin()
    it.clock.advance(71 * 3600)
    await addPurchases(1)
    it.clock.advance(2 * 3600)
    await addPurchases(1)
    await tellSpends(it.shop)
    await tellSpends(it.shop)
    await it.drain()
    expect(sorted(it.mailedTo(mail))).toEqual(sorted(titleOf('pinReset', 'spentAfterChange')))
  })

  test('of five hundred after a reset twenty are told one by one, and the rest as one sum of the day', async () => {
    await giveNewPin()
    await it.db.query({ text: `UPDATE account SET must_change_pin = false WHERE uid = 'agent'` })
    await setPin(it.db, 'agent', it.shop.pins.hash('agent', '7777'))
    it.clock.advance(60)
    await buy('7777')
    await addPurchases(499)
    await tellSpends(it.shop)
    await Promise.all([tellSpends(it.shop), tellSpends(it.shop)])
    await tellDailySpending(it.shop)
    await it.drain()
    const one = OWNER_NEWS.spentAfterChange.title
    const told = () => it.mailedTo(mail).filter(title => title === one)
    expect(told()).toHaveLength(MOST_SPENDS_TOLD)
    expect(it.inbox.mails.filter(({ text }) => text.includes('จะแจ้งเป็นยอดรวม'))).toHaveLength(1)
    it.clock.advance(24 * 3600)
    await tellSpends(it.shop)
    await tellDailySpending(it.shop)
    await tellDailySpending(it.shop)
    await it.drain()
    expect(it.inbox.mails).toHaveLength(1 + MOST_SPENDS_TOLD + 1)
    expect(it.mailedTo(mail).at(-1)).toBe(OWNER_NEWS.dailySpending.title)
    expect(it.inbox.mails.at(-1)!.text).toContain('จำนวน: 500 คำสั่งซื้อ')
  })

  test('on another day is told in the next morning, in LINE alone where that reaches the owner', async () => {
    await linkOwn()
    await befriend()
    await buy('1234')
    await tellSpends(it.shop)
    it.clock.advance(13 * 3600)
    await tellDailySpending(it.shop)
    await it.drain()
    expect(titlesShownTo(friend)).toEqual([])
    it.clock.advance(7 * 3600)
    await tellDailySpending(it.shop)
    await it.drain()
    expect(titlesShownTo(friend)).toEqual(titleOf('dailySpending'))
    expect(it.mailedTo(mail)).toEqual([])
    it.clock.advance(24 * 3600)
    await tellDailySpending(it.shop)
    await it.drain()
    expect(titlesShownTo(friend)).toHaveLength(1)
  })
})

describe('an owner whom nothing reaches', () => {
  test('is named to managers, and whoever reset it is told so', async () => {
    await bindRoom(it, 'managers')
    it.shop.mail = null
    expect((await resetPassword()).isOwnerTold).toBe(false)
    expect((await giveNewPin()).isOwnerTold).toBe(false)
    await it.drain()
    const shown = it.shownTo(staffGroup.groupId)
    const untold = titleOf('passwordReset', 'pinReset').map(title => `เจ้าของบัญชี agent ไม่ได้รับแจ้งว่า ${title}`)
    expect(sorted(shown)).toEqual(sorted(untold))
  })

  test('who blocked the shop in LINE is one, who has only LINE is none', async () => {
    it.shop.mail = null
    await linkOwn()
    expect((await giveNewPin()).isOwnerTold).toBe(true)
    await unfriend(it, friend)
    expect((await giveNewPin()).isOwnerTold).toBe(false)
  })

  test('never keeps anything from being done', async () => {
    await it.inbox.stop()
    it.shop.chat = null
    expect((await giveNewPin()).isOwnerTold).toBe(true)
    await it.drain()
    const [row] = await it.db.query<{ state: string }>({ text: 'SELECT state FROM mail_message' })
    expect(row!.state).toBe('waiting')
  })
})

test('what somebody does again and again is told ten times a day', async () => {
  // Of an account with money the later ones would take a second person.
  await it.db.query({ text: `UPDATE wallet SET balance_satang = 0 WHERE uid = 'agent'` })
  for (let time = 0; time < 13; time++) await giveNewPin()
  await resetPassword()
  await it.drain()
  expect(it.mailedTo(mail).filter(title => title === OWNER_NEWS.pinReset.title)).toHaveLength(10)
  expect(it.mailedTo(mail)).toHaveLength(11)
  it.clock.advance(86_400)
  await giveNewPin()
  await it.drain()
  expect(it.mailedTo(mail)).toHaveLength(12)
})

test('what people typed is text in what the owner gets', async () => {
  await giveNewPin()
  await tellOwner(it.db, {
    uid: 'agent',
    kind: 'spentAfterChange',
    byShop: false,
    at: it.clock.now,
    about: 'KT',
    facts: { orderNo: 'KT', bought: '<script>x</script>\r\nBcc: thief@test.shop', amountSatang: 100 },
  })
  await it.drain()
  const spent = it.inbox.mails.find(({ html }) => html.includes('Bcc'))!
  expect(spent.html).not.toContain('<script>')
  expect(spent.text).toContain('รายการ: <script>x</script> Bcc: thief@test.shop\n')
  expect(spent.to).toEqual([mail])
})

test('somebody of the staff is told of a new authenticator app, and that theirs was cleared', async () => {
  const { otpauthUri, sessionKey } = await it.as('manager').call(enrolTotp, { body: {} })
  const code = (URI.parse(otpauthUri) as TOTP).generate({ timestamp: it.clock.now.getTime() })
  await it.as('manager', { [SESSION_KEY]: sessionKey }).call(confirmTotp, { body: { code } })
  await it.as('admin').call(resetTotp, { params: { uid: 'manager' } })
  await it.drain()
  expect(sorted(it.mailedTo('manager@test.shop'))).toEqual(sorted(titleOf('newAuthenticatorApp', 'appReset')))
  const [own] = it.inbox.mails.filter(({ headers }) => headers.subject!.startsWith(OWNER_NEWS.appReset.title))
  expect(own!.text).toMatch(/http:\/\/localhost:5174\/user\/manager/)
  // Nobody of the admins is in LINE, so what one of them did is mailed, too.
  expect(sorted(it.mailedTo('admin@test.shop'))).toEqual(sorted([...titleOf('firstApp'), labelOfMove('totpReset')]))
})

test('a LINE that is linked by a code in the chat is told by mail, and an address that staff typed is good for that', async () => {
  await it.db.query({ text: `UPDATE account SET email_verified = false WHERE uid = 'agent'` })
  await giveNewPin()
  await it.drain()
  expect(it.mailedTo(mail)).toEqual(titleOf('pinReset'))
  await it.db.query({ text: `UPDATE account SET email_verified = true WHERE uid = 'agent'` })
  await linkIdentity(it.shop, { uid: 'agent', sub: thief, now: it.clock.now })
  await it.drain()
  expect(it.mailedTo(mail)).toEqual(titleOf('pinReset', 'signInLinked'))
})

test('an address that a customer only claimed is sent nothing', async () => {
  await it.db.query({ text: `UPDATE account SET role = 'customer', email_verified = false WHERE uid = 'agent'` })
  await resetPassword()
  await it.drain()
  expect(it.mailedTo(mail)).toEqual([])
})
