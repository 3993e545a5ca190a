import { changePassword, linkLine, updateUserAuthentication } from '@shop/shared/account/endpoints.ts'
import { OWNER_NEWS } from '@shop/shared/account/news.ts'
import { changePin, sendOwnerCode } from '@shop/shared/account/pin-endpoints.ts'
import { getCredit, takeRefundAsCredit, withdrawCredit } from '@shop/shared/credit/endpoints.ts'
import { maskAddress } from '@shop/shared/order/codes.ts'
import { listOwedRefunds, sendOwedRefund, setRefundPayee } from '@shop/shared/statement/refund-endpoints.ts'
import { demoLine } from 'local/line-emulator/demo.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { linkLine as putLink, users } from '../testing/chat.ts'
import { fixture } from '../testing/fixture.ts'
import { createMailShop, type MailShop } from '../testing/mail.ts'
import { buyAndRefund } from '../testing/orders.ts'
import { agreeNamed } from '../testing/refunds.ts'
import { addAccount, onceKey, tokenFor } from '../testing/shop.ts'
import { giveWord, wordOf } from '../testing/words.ts'

const HOUR = 3600
const OWNER = 'owner'
const FRIEND = users.friend.userId
const THIEF = users.stranger.userId
const PAYEE = { bankCode: '004', accountNo: '1234567890', accountName: 'เพื่อนของโจร' }

let it: MailShop
beforeEach(async () => {
  it = await createMailShop({
    LINE_LOGIN_CHANNEL_ID: demoLine.loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: demoLine.loginChannel.secret,
  })
  await it.db.query({ text: `INSERT INTO option (name, value) VALUES ('SHOP_CREDIT', 'true')` })
  await it.db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
  await addAccount(it, OWNER, 'customer')
  await addAccount(it, 'other-manager', 'manager')
  const { orderNo } = await buyAndRefund(it, it.as(OWNER))
  await it.as(OWNER).call(takeRefundAsCredit, { params: { orderNo }, idempotencyKey: onceKey() })
  // The way to sign in and what it may do are as old as the account of anybody who comes back.
  it.clock.advance(48 * HOUR)
})
afterEach(() => it.close())

/** The owner's account in a session that began so many seconds ago, by a way to sign in. */
const session = (secondsAgo = 0, provider = 'password') => {
  const from = new Date(it.clock.now.getTime() - secondsAgo * 1000)
  const token = tokenFor(OWNER, from, { firebase: { sign_in_provider: provider } })
  return it.as(OWNER, { authorization: `Bearer ${token}` })
}
const first = (caller = session(), code?: string, pin = '4821') => caller.codeOf(changePin, { body: { pin, code } })
const setPassword = (by = 'manager') =>
  it.as(by).call(updateUserAuthentication, { body: { uid: OWNER, password: 'given by staff' } })
const takeOver = async () => {
  await setPassword()
  it.clock.advance(2)
  await it.as(OWNER).call(changePassword, { body: { password: 'chosen by a thief' } })
  it.clock.advance(2)
}
const ask = (pin = '4821', payee = PAYEE) =>
  it.as(OWNER).codeOf(withdrawCredit, { body: { ...payee, pin }, idempotencyKey: onceKey() })
const askCode = (caller = session()) => caller.call(sendOwnerCode, {})
const codesShownTo = (lineId: string) =>
  it.shownTo(lineId).flatMap(alt => /^(\d{6}) คือรหัสยืนยันเจ้าของบัญชี/.exec(alt)?.[1] ?? [])
const codeMailed = () => /^(\d{6})/.exec(it.mailedTo(`${OWNER}@test.shop`).at(-1) ?? '')?.[1]
const movedBy = (uid: string) =>
  it.db.query({
    text: 'SELECT kind, amount_satang::int AS amount, second_uid AS second FROM value_move WHERE actor_uid = $1 ORDER BY at, id',
    values: [uid],
  })
const balance = async () => (await it.as(OWNER).call(getCredit, {})).balanceSatang
const other = (code: string) => (code === '000000' ? '000001' : '000000')

test('a manager who sets a password and signs in with it gets nothing of the credit, and each step is refused or counted', async () => {
  const credit = await balance()
  await takeOver()
  expect(await movedBy('manager')).toEqual([{ kind: 'passwordSet', amount: credit, second: null }])
  // Neither the session, nor a fresh sign-in with what was given, nor a way that was added since, is the owner.
  expect(await first()).toBe('OWNER_CODE_REQUIRED')
  await putLink(it, OWNER, THIEF)
  const line = tokenFor(OWNER, it.clock.now, {
    firebase: { sign_in_provider: 'custom' },
    lineLink: it.clock.now.getTime(),
  })
  expect(await first(it.as(OWNER, { authorization: `Bearer ${line}` }))).toBe('OWNER_CODE_REQUIRED')
  // The code goes to where the owner was before, not to the thief's LINE.
  expect((await askCode()).sentTo).toBe(maskAddress(`${OWNER}@test.shop`))
  expect(codesShownTo(THIEF)).toEqual([])
  expect(await first(session(), other(codeMailed()!))).toBe('NUMBER_WRONG')
  expect(await ask()).toBe('CREDIT_RESTS')
  expect(await balance()).toBe(credit)
})

test('beyond the day of who sets it a password takes a second person, who may not have set one themself', async () => {
  await it.db.query({ text: `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', '1')` })
  const asked = { body: { uid: OWNER, password: 'given by staff' } }
  const word = await wordOf(it.as('manager'), updateUserAuthentication, asked)
  expect(await giveWord(it, 'other-manager', word)).toEqual({ isDone: false })
  // It is asked for again with another password: what was agreed to is that this account is opened.
  await it.as('manager').call(updateUserAuthentication, { body: { uid: OWNER, password: 'another one' } })
  expect(await movedBy('manager')).toMatchObject([{ kind: 'passwordSet', second: 'other-manager' }])
  const kept = await it.db.query({ text: 'SELECT input FROM second_word' })
  expect(kept).toEqual([{ input: null }])
})

test('who set a password sends nothing of that account for a day, and agrees to nothing; a withdrawal of before is sent by others', async () => {
  expect([await first(), await ask()]).toEqual(['OK', 'OK'])
  const [row] = (await it.as('manager').call(listOwedRefunds, { query: {} })).rows
  await setPassword()
  const body = { receivingAccountId: fixture.accounts.second, reference: 'TR-1', payeeVersion: row!.payeeVersion }
  const send = (by: string) =>
    it.as(by).codeOf(sendOwedRefund, { params: { id: row!.id }, body, idempotencyKey: onceKey() })
  expect(await send('manager')).toBe('SET_OWNERS_SECRET')
  expect(
    await it.as('manager').codeOf(setRefundPayee, {
      params: { id: row!.id },
      body: { ...PAYEE, payeeVersion: row!.payeeVersion },
    }),
  ).toBe('SET_OWNERS_SECRET')
  await it.db.query({ text: `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', '1')` })
  await agreeNamed(it, row!.id)
  const asked = { params: { id: row!.id }, body, idempotencyKey: onceKey() }
  const word = await wordOf(it.as('other-manager'), sendOwedRefund, asked)
  await expect(giveWord(it, 'manager', word)).rejects.toMatchObject({ code: 'SECOND_WORD_NOT_YOURS' })
  await giveWord(it, 'admin', word)
  it.clock.advance(24 * HOUR + 1)
  expect(await send('manager')).toBe('CONFLICT')
})

test('credit is withdrawn again a day after the shop set a secret of its account, and the screen says from when', async () => {
  expect(await first()).toBe('OK')
  await setPassword()
  it.clock.advance(2)
  await it.as(OWNER).call(changePassword, { body: { password: 'chosen by its owner' } })
  it.clock.advance(2)
  const until = (await it.as(OWNER).call(getCredit, {})).restsUntil
  expect(until).not.toBeNull()
  expect(await ask()).toBe('CREDIT_RESTS')
  it.clock.now = new Date(new Date(until!).getTime() + 1000)
  expect((await it.as(OWNER).call(getCredit, {})).restsUntil).toBeNull()
  expect(await ask()).toBe('OK')
})

test('a first PIN takes a sign-in of this moment by a way that its owner has had for long', async () => {
  expect(await first(session(301))).toBe('RECENT_SIGN_IN_REQUIRED')
  const google = { 'google.com': it.clock.now.toISOString() }
  await it.db.query({
    text: `UPDATE account SET providers = '{password,google.com}', providers_since = $2 WHERE uid = $1`,
    values: [OWNER, JSON.stringify(google)],
  })
  expect(await first(session(0, 'google.com'))).toBe('OWNER_CODE_REQUIRED')
  it.clock.advance(25 * HOUR)
  expect(await first(session(0, 'google.com'))).toBe('OK')
  // Another tab of the same moment is told so, and has typed nothing wrong.
  expect(await first()).toBe('PIN_ALREADY_SET')
})

test('a code comes in LINE and opens once; wrong, old and foreign ones do not', async () => {
  await putLink(it, OWNER, FRIEND)
  await setPassword()
  it.clock.advance(2)
  await it.as(OWNER).call(changePassword, { body: { password: 'chosen by its owner' } })
  it.clock.advance(2)
  expect(await first(session(), '123456')).toBe('NUMBER_OVER')
  expect((await askCode()).sentTo).toBe('LINE ของคุณ')
  const [old] = codesShownTo(FRIEND)
  await askCode()
  const newest = codesShownTo(FRIEND).at(-1)!
  if (old !== newest) expect(await first(session(), old)).toBe('NUMBER_WRONG')
  // Somebody else's code is nothing here, and this one nothing there.
  await addAccount(it, 'stranger', 'customer')
  await it.as('stranger').call(sendOwnerCode, {})
  expect(await it.as('stranger').codeOf(changePin, { body: { pin: '4821', code: newest } })).toBe('NUMBER_WRONG')
  it.clock.advance(601)
  expect(await first(session(), newest)).toBe('NUMBER_OVER')
  await askCode()
  const right = codesShownTo(FRIEND).at(-1)!
  const tries = []
  for (let nth = 0; nth < 6; nth++) tries.push(await first(session(), other(right)))
  expect(tries).toEqual([...Array(4).fill('NUMBER_WRONG'), 'NUMBER_OVER', 'NUMBER_OVER'])
  expect(await first(session(), right)).toBe('NUMBER_OVER')
  await askCode()
  const last = codesShownTo(FRIEND).at(-1)!
  const both = await Promise.all([first(session(), last), first(session(), last)])
  expect(both.toSorted()).toEqual(['OK', 'PIN_ALREADY_SET'])
  await it.drain()
  expect(it.shownTo(FRIEND).some(alt => alt.startsWith(OWNER_NEWS.pinChanged.title))).toBe(true)
})

test('where nothing reached the account a day ago, no code is sent', async () => {
  await it.db.query({ text: 'UPDATE account SET email_verified = false WHERE uid = $1', values: [OWNER] })
  await setPassword()
  await it.db.query({ text: 'UPDATE account SET email_verified = true WHERE uid = $1', values: [OWNER] })
  it.clock.advance(2)
  await it.as(OWNER).call(changePassword, { body: { password: 'chosen by somebody' } })
  it.clock.advance(2)
  expect(await session().codeOf(sendOwnerCode, {})).toBe('OWNER_CODE_NO_ADDRESS')
  const body = { idToken: await it.line.control.issueIdToken(THIEF) }
  expect(await session().codeOf(linkLine, { body })).toBe('OK')
  expect(await session().codeOf(sendOwnerCode, {})).toBe('OWNER_CODE_NO_ADDRESS')
})
