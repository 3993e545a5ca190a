import * as contract from '@shop/shared/account/endpoints.ts'
import { listAudit } from '@shop/shared/audit/endpoints.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import { listOwnOrders } from '@shop/shared/order/own-endpoints.ts'
import { getSlip } from '@shop/shared/upload/endpoints.ts'
import { type TOTP, URI } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buyByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, type TestShop, tokenFor } from '../testing/shop.ts'
import { addSlip } from '../testing/wallet.ts'

let it: TestShop
beforeAll(async () => {
  it = await createTestShop()
})
afterAll(() => it.db.close())

const requireTotp = (isRequired: boolean) =>
  it.db.query({
    text: `INSERT INTO option (name, value) VALUES ('REQUIRE_ADMIN_TOTP', $1)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    values: [String(isRequired)],
  })

let count = 0
let uid: string
/** The moment of the sign-in, which is what tells sessions apart. */
let signedInAt: Date
beforeEach(async () => {
  await requireTotp(false)
  uid = `staff-${++count}`
  await addAccount(it, uid, 'manager')
  it.clock.advance(600)
  signedInAt = it.clock.now
})

const session = (at = signedInAt) =>
  it.as(uid, { authorization: `Bearer ${tokenFor(uid, it.clock.now, { auth_time: at.getTime() / 1000 })}` })
const codeOf = (app: TOTP) => app.generate({ timestamp: it.clock.now.getTime() })
const wrongFor = (app: TOTP) => String((Number(codeOf(app)) + 1) % 1_000_000).padStart(6, '0')
const confirm = (code: string, at = signedInAt) => session(at).codeOf(contract.confirmTotp, { body: { code } })
const work = (at = signedInAt) => session(at).codeOf(contract.searchUsers, {})
const state = (at = signedInAt) => session(at).call(contract.getTotp, {})

async function beginEnrolment(at = signedInAt): Promise<TOTP> {
  const { otpauthUri } = await session(at).call(contract.enrolTotp, {})
  return URI.parse(otpauthUri) as TOTP
}
async function enrol(): Promise<TOTP> {
  const app = await beginEnrolment()
  expect(await confirm(codeOf(app))).toBe('OK')
  it.clock.advance(60)
  return app
}

describe('when the shop requires it', () => {
  test('nothing of the back office opens before it is done, the own account does, customers notice nothing', async () => {
    expect(await work()).toBe('OK')
    await requireTotp(true)
    expect(await work()).toBe('TOTP_REQUIRED')
    expect(await state()).toEqual({ isRequired: true, isEnrolled: false, isConfirmed: false })
    expect(await session().codeOf(contract.getMe, {})).toBe('OK')
    expect(await session().codeOf(contract.getUser, { params: { uid } })).toBe('OK')
    expect(await session().codeOf(contract.getUser, { params: { uid: 'customer' } })).toBe('TOTP_REQUIRED')
    const body = { uid: 'customer', firstName: 'taken over' }
    expect(await session().codeOf(contract.updateUser, { body })).toBe('TOTP_REQUIRED')
    expect(await it.as('customer').codeOf(contract.getMe, {})).toBe('OK')
    expect(await it.as('customer').codeOf(contract.getTotp, {})).toBe('FORBIDDEN')
    await enrol()
    expect(await state()).toEqual({ isRequired: true, isEnrolled: true, isConfirmed: true })
    expect(await work()).toBe('OK')
  })
})

test('in the storefront staff are customers, code or not; what only staff may see and do there waits for it', async () => {
  const { orderNo: others } = await buyByBank(it.as('customer'))
  const slipId = await addSlip(it, 'u:customer')
  await it.shop.files.write(`slips/${slipId}.jpg`, Buffer.from('a picture'), 'image/jpeg')
  await requireTotp(true)
  const cancel = (orderNo: string, reason?: string) =>
    session().codeOf(orders.updateOrderStatus, { body: { orderNo, status: 'cancel', reason } })
  const look = async () => [
    await session().codeOf(getSlip, { params: { id: slipId } }),
    await cancel(others, 'ลูกค้าขอยกเลิก'),
  ]
  expect(await look()).toEqual(['TOTP_REQUIRED', 'TOTP_REQUIRED'])
  expect(await session().codeOf(orders.getOrder, { params: { orderNo: others } })).toBe('ORDER_NOT_FOUND')
  expect(await cancel((await buyByBank(session())).orderNo)).toBe('OK')
  expect((await session().call(listOwnOrders, {})).total).toBe(1)
  await enrol()
  expect(await look()).toEqual(['OK', 'OK'])
})

describe('an authenticator app', () => {
  test('is for those who use it asked for at every sign-in, also where the shop does not require it', async () => {
    const app = await enrol()
    const next = it.clock.now
    expect([await work(next), await confirm(wrongFor(app), next), await work(next)]).toEqual([
      ...['TOTP_REQUIRED', 'TOTP_WRONG', 'TOTP_REQUIRED'],
    ])
    expect([await confirm(codeOf(app), next), await work(next), await work()]).toEqual(['OK', 'OK', 'OK'])
  })

  test('names the shop and the person, is readable nowhere afterwards, and holds from its first code on', async () => {
    const app = await beginEnrolment()
    expect([app.issuer, app.label, app.digits, app.period]).toEqual(['คราม เติมเกม', uid, 6, 30])
    expect(await state()).toMatchObject({ isRequired: false, isEnrolled: false })
    expect(await confirm(codeOf(app))).toBe('OK')
    const [row] = await it.db.query<{ row: string }>({
      text: 'SELECT to_json(t)::text AS row FROM account_totp t WHERE uid = $1',
      values: [uid],
    })
    expect(row!.row).not.toContain(app.secret.base32)
    expect(row!.row).not.toContain(app.secret.hex)
    expect(JSON.stringify([await state(), await session().call(contract.getMe, {})])).not.toContain(app.secret.base32)
  })

  test("accepts a code once, and those of the minute only; another person's app is none", async () => {
    const app = await enrol()
    const code = codeOf(app)
    expect([await confirm(code), await confirm(code)]).toEqual(['OK', 'TOTP_WRONG'])
    const stale = codeOf(app)
    it.clock.advance(90)
    expect(await confirm(stale)).toBe('TOTP_WRONG')
    const row = await it.db.query<{ secret: string }>({
      text: 'SELECT secret FROM account_totp WHERE uid = $1',
      values: [uid],
    })
    await addAccount(it, `${uid}-thief`, 'staff')
    await it.db.query({
      text: 'INSERT INTO account_totp (uid, secret) VALUES ($1, $2)',
      values: [`${uid}-thief`, row[0]!.secret],
    })
    const body = { code: codeOf(app) }
    expect(await it.as(`${uid}-thief`).codeOf(contract.confirmTotp, { body })).toBe('TOTP_WRONG')
  })

  test('locks after five wrong codes for 15 minutes, the right one too; forty at once are five', async () => {
    const app = await enrol()
    const codes = await Promise.all(Array.from({ length: 40 }, () => confirm(wrongFor(app))))
    expect(codes.filter(code => code === 'TOTP_WRONG')).toHaveLength(4)
    expect(codes.filter(code => code === 'TOTP_LOCKED')).toHaveLength(36)
    expect(await confirm(codeOf(app))).toBe('TOTP_LOCKED')
    it.clock.advance(15 * 60)
    expect(await confirm(codeOf(app))).toBe('OK')
  })

  test('is changed in a confirmed, fresh session only; the old one holds until then and no longer', async () => {
    const old = await enrol()
    const next = it.clock.now
    expect(await session(next).codeOf(contract.enrolTotp, {})).toBe('TOTP_REQUIRED')
    expect(await confirm(codeOf(old), next)).toBe('OK')
    const app = await beginEnrolment(next)
    it.clock.advance(60)
    expect(await confirm(codeOf(old), next)).toBe('OK')
    expect([await confirm(codeOf(app), next), await confirm(codeOf(app), next)]).toEqual(['OK', 'TOTP_WRONG'])
    expect([await work(), await work(next)]).toEqual(['TOTP_REQUIRED', 'OK'])
    it.clock.advance(60)
    expect(await confirm(codeOf(old), next)).toBe('TOTP_WRONG')
    it.clock.advance(301)
    expect(await session(next).codeOf(contract.enrolTotp, {})).toBe('RECENT_SIGN_IN_REQUIRED')
  })

  test('without one there is nothing to confirm', async () => {
    expect(await confirm('123456')).toBe('TOTP_NOT_ENROLLED')
    expect(await confirm('12345')).toBe('INVALID_INPUT')
  })

  test('is taken away by an admin for somebody else, which ends their sessions', async () => {
    await enrol()
    const reset = (actor: string, target = uid) => it.as(actor).codeOf(contract.resetTotp, { params: { uid: target } })
    expect([await reset('manager'), await reset('admin', 'admin'), await reset('admin', 'nobody')]).toEqual([
      ...['FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND'],
    ])
    expect([await reset('admin'), await reset('admin')]).toEqual(['OK', 'TOTP_NOT_ENROLLED'])
    expect(await work()).toBe('SESSION_REVOKED')
    const next = it.clock.now
    expect([await work(next), await state(next)]).toMatchObject(['OK', { isEnrolled: false }])
    const { rows } = await it.as('admin').call(listAudit, { query: { subject: `account:${uid}` } })
    expect(rows.map(row => row.action)).toEqual(['account.resetTotp'])
  })
})
