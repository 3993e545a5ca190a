import { randomBytes } from 'node:crypto'
import * as contract from '@shop/shared/account/endpoints.ts'
import { SESSION_KEY } from '@shop/shared/account/totp.ts'
import { listAudit } from '@shop/shared/audit/endpoints.ts'
import type { AppError } from '@shop/shared/errors.ts'
import { listPlayerFields } from '@shop/shared/order/correction-endpoints.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import { getReceipt } from '@shop/shared/order/finding-endpoints.ts'
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
let signedInAt: Date
/** The person's own browsers, by the moment of their sign-in. */
let browsers: Map<number, Browser>
beforeEach(async () => {
  await requireTotp(false)
  browsers = new Map()
  uid = `staff-${++count}`
  await addAccount(it, uid, 'manager')
  it.clock.advance(600)
  signedInAt = it.clock.now
})

type Browser = ReturnType<typeof openBrowser>

/** A browser as the back office runs in it: it keeps the secret it was given, and a name of its own over all sessions. */
function openBrowser(at: Date, browserKey = randomBytes(16).toString('hex')) {
  let sessionKey: string | null = null
  const session = () =>
    it.as(uid, {
      authorization: `Bearer ${tokenFor(uid, it.clock.now, { auth_time: at.getTime() / 1000 })}`,
      ...(sessionKey && { [SESSION_KEY]: sessionKey }),
    })
  const keep = <Answer extends { sessionKey: string }>(answer: Answer) => {
    sessionKey = answer.sessionKey
    return answer
  }
  const codeOfCall = (call: Promise<unknown>) =>
    call.then(
      () => 'OK',
      (error: AppError) => error.code,
    )
  const begin = (code?: string) => session().call(contract.enrolTotp, { body: { code, browserKey } }).then(keep)
  return {
    browserKey,
    session,
    confirm: (code: string) =>
      codeOfCall(session().call(contract.confirmTotp, { body: { code, browserKey } }).then(keep)),
    work: () => session().codeOf(contract.searchUsers, {}),
    state: () => session().call(contract.getTotp, {}),
    begin: async (code?: string) => URI.parse((await begin(code)).otpauthUri) as TOTP,
    codeOfBegin: (code?: string) => codeOfCall(begin(code)),
  }
}

function browserAt(at: Date): Browser {
  const browser = browsers.get(at.getTime()) ?? openBrowser(at)
  browsers.set(at.getTime(), browser)
  return browser
}

const session = (at = signedInAt) => browserAt(at).session()
const codeOf = (app: TOTP) => app.generate({ timestamp: it.clock.now.getTime() })
const wrongFor = (app: TOTP) => String((Number(codeOf(app)) + 1) % 1_000_000).padStart(6, '0')
const confirm = (code: string, at = signedInAt) => browserAt(at).confirm(code)
const work = (at = signedInAt) => browserAt(at).work()
const state = (at = signedInAt) => browserAt(at).state()

async function enrol(): Promise<TOTP> {
  const app = await browserAt(signedInAt).begin()
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
    await session().codeOf(getReceipt, { params: { orderNo: others } }),
    await session().codeOf(listPlayerFields, { params: { orderNo: others } }),
    await cancel(others, 'ลูกค้าขอยกเลิก'),
  ]
  expect(await look()).toEqual(Array.from({ length: 4 }, () => 'TOTP_REQUIRED'))
  expect(await session().codeOf(orders.getOrder, { params: { orderNo: others } })).toBe('ORDER_NOT_FOUND')
  expect(await cancel((await buyByBank(session())).orderNo)).toBe('OK')
  expect((await session().call(listOwnOrders, {})).total).toBe(1)
  await enrol()
  expect(await look()).toEqual(Array.from({ length: 4 }, () => 'OK'))
})

describe('an authenticator app', () => {
  test('is for those who use it asked for at every sign-in, also where the shop does not require it', async () => {
    const app = await enrol()
    const next = it.clock.now
    const answers = [await work(next), await confirm(wrongFor(app), next), await work(next)]
    expect(answers).toEqual(['TOTP_REQUIRED', 'TOTP_WRONG', 'TOTP_REQUIRED'])
    expect([await confirm(codeOf(app), next), await work(next), await work()]).toEqual(['OK', 'OK', 'OK'])
  })

  test('names the shop and the person, is readable nowhere afterwards, and holds from its first code on', async () => {
    const app = await browserAt(signedInAt).begin()
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

  test('is told to every admin when it is the first: a password alone was enough for it', async () => {
    const toldFirst = () =>
      it.db.query<{ uid: string }>({
        text: `SELECT uid FROM owner_news WHERE kind = 'firstApp' AND facts->>'byName' = $1 ORDER BY uid`,
        values: [uid],
      })
    const app = await enrol()
    expect(await toldFirst()).toEqual([{ uid: 'admin' }])
    await browserAt(signedInAt).begin(codeOf(app))
    it.clock.advance(60)
    expect(await toldFirst()).toHaveLength(1)
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
    expect(await it.as(`${uid}-thief`).codeOf(contract.confirmTotp, { body })).toBe('TOTP_UNREADABLE')
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
    expect(await browserAt(next).codeOfBegin()).toBe('TOTP_REQUIRED')
    expect(await confirm(codeOf(old), next)).toBe('OK')
    expect(await browserAt(next).codeOfBegin()).toBe('TOTP_REQUIRED')
    it.clock.advance(60)
    const app = await browserAt(next).begin(codeOf(old))
    it.clock.advance(60)
    expect(await confirm(codeOf(old), next)).toBe('OK')
    expect([await confirm(codeOf(app), next), await confirm(codeOf(app), next)]).toEqual(['OK', 'TOTP_WRONG'])
    expect([await work(), await work(next)]).toEqual(['TOTP_REQUIRED', 'OK'])
    it.clock.advance(60)
    expect(await confirm(codeOf(old), next)).toBe('TOTP_WRONG')
    it.clock.advance(301)
    expect(await browserAt(next).codeOfBegin(codeOf(app))).toBe('RECENT_SIGN_IN_REQUIRED')
  })

  test('without one there is nothing to confirm', async () => {
    expect(await confirm('123456')).toBe('TOTP_NOT_ENROLLED')
    expect(await confirm('12345')).toBe('INVALID_INPUT')
  })

  test('is taken away by an admin for somebody else, which ends their sessions', async () => {
    await enrol()
    const reset = (actor: string, target = uid) => it.as(actor).codeOf(contract.resetTotp, { params: { uid: target } })
    const answers = [await reset('manager'), await reset('admin', 'admin'), await reset('admin', 'nobody')]
    expect(answers).toEqual(['FORBIDDEN', 'FORBIDDEN', 'NOT_FOUND'])
    expect([await reset('admin'), await reset('admin')]).toEqual(['OK', 'TOTP_NOT_ENROLLED'])
    expect(await work()).toBe('SESSION_REVOKED')
    const next = it.clock.now
    expect([await work(next), await state(next)]).toMatchObject(['OK', { isEnrolled: false }])
    const { rows } = await it.as('admin').call(listAudit, { query: { subject: `account:${uid}` } })
    expect(rows.map(row => row.action)).toEqual(['account.resetTotp'])
  })
})

describe('a confirmed session', () => {
  test('is one browser: another sign-in of the same second has the password and no more', async () => {
    const app = await enrol()
    const at = it.clock.now
    const [owner, thief] = [openBrowser(at), openBrowser(at)]
    expect(await owner.confirm(codeOf(app))).toBe('OK')
    expect([await owner.work(), await thief.work()]).toEqual(['OK', 'TOTP_REQUIRED'])
    expect(await thief.state()).toEqual({ isRequired: true, isEnrolled: true, isConfirmed: false })
  })

  test("is told by its secret together with its person and sign-in: each alone, or anybody else's, opens nothing", async () => {
    const app = await enrol()
    const at = it.clock.now
    const owner = openBrowser(at)
    expect(await owner.confirm(codeOf(app))).toBe('OK')
    const key = owner.session().headers[SESSION_KEY]!
    const other = `${uid}-colleague`
    await addAccount(it, other, 'manager')
    await requireTotp(true)
    const tried = (who: string, signedIn: Date, sessionKey: string) =>
      it
        .as(who, {
          authorization: `Bearer ${tokenFor(who, it.clock.now, { auth_time: signedIn.getTime() / 1000 })}`,
          [SESSION_KEY]: sessionKey,
        })
        .codeOf(contract.searchUsers, {})
    const later = new Date(at.getTime() + 1000)
    it.clock.advance(5)
    const answers = [await tried(uid, at, key), await tried(uid, later, key), await tried(other, at, key)]
    expect(answers).toEqual(['OK', 'TOTP_REQUIRED', 'TOTP_REQUIRED'])
    for (const wrong of [`${key.slice(1)}A`, key.slice(1), '', 'x'.repeat(5000)])
      expect(await tried(uid, at, wrong)).toBe('TOTP_REQUIRED')
    expect(await it.as(null, { [SESSION_KEY]: key }).codeOf(contract.searchUsers, {})).toBe('UNAUTHENTICATED')
  })

  test('is kept as a hash, and another code gives the same browser another secret', async () => {
    const app = await enrol()
    const browser = openBrowser(it.clock.now)
    expect(await browser.confirm(codeOf(app))).toBe('OK')
    const first = browser.session()
    const [kept] = await it.db.query<{ rows: string }>({
      text: 'SELECT json_agg(t)::text AS rows FROM totp_session t WHERE uid = $1',
      values: [uid],
    })
    expect(kept!.rows).not.toContain(first.headers[SESSION_KEY])
    it.clock.advance(60)
    expect(await browser.confirm(codeOf(app))).toBe('OK')
    expect([await first.codeOf(contract.searchUsers, {}), await browser.work()]).toEqual(['TOTP_REQUIRED', 'OK'])
  })
})

describe('an app that waits for its first code', () => {
  test('belongs to the session that began it: no other one of the same person takes it', async () => {
    const old = await enrol()
    const at = it.clock.now
    const owner = openBrowser(at)
    const waiting = await owner.begin(codeOf(old))
    it.clock.advance(30)
    const [sameSecond, later] = [openBrowser(at), openBrowser(it.clock.now)]
    expect([await sameSecond.confirm(codeOf(waiting)), await later.confirm(codeOf(waiting))]).toEqual([
      'TOTP_WRONG',
      'TOTP_WRONG',
    ])
    expect(await openBrowser(at).confirm(codeOf(old))).toBe('OK')
    expect(await owner.confirm(codeOf(waiting))).toBe('OK')
  })

  test('is begun with the code of the app in use: an open browser without the phone is not enough', async () => {
    const old = await enrol()
    const browser = openBrowser(it.clock.now)
    expect(await browser.confirm(codeOf(old))).toBe('OK')
    expect(await browser.codeOfBegin()).toBe('TOTP_REQUIRED')
    it.clock.advance(30)
    expect([await browser.codeOfBegin(wrongFor(old)), await browser.codeOfBegin(codeOf(old))]).toEqual([
      'TOTP_WRONG',
      'OK',
    ])
  })

  test('waits ten minutes', async () => {
    const first = openBrowser(it.clock.now)
    const app = await first.begin()
    it.clock.advance(601)
    expect(await first.confirm(codeOf(app))).toBe('TOTP_NOT_ENROLLED')
    const next = openBrowser(it.clock.now)
    const again = await next.begin()
    it.clock.advance(599)
    expect(await next.confirm(codeOf(again))).toBe('OK')
  })

  test('of the first one, begun elsewhere with the same password, is gone once the owner has an app', async () => {
    const thief = openBrowser(it.clock.now)
    const strange = await thief.begin()
    await enrol()
    expect(await thief.confirm(codeOf(strange))).toBe('TOTP_WRONG')
  })
})

describe('wrong codes', () => {
  const FIVE = ['TOTP_WRONG', 'TOTP_WRONG', 'TOTP_WRONG', 'TOTP_WRONG', 'TOTP_LOCKED']
  const guess = async (browser: Browser, app: TOTP, times: number) => {
    const answers: string[] = []
    for (let n = 0; n < times; n++) answers.push(await browser.confirm(wrongFor(app)))
    return answers
  }
  const audited = async () => {
    const { rows } = await it.as('admin').call(listAudit, { query: { subject: `account:${uid}` } })
    return rows.map(row => row.action)
  }

  test('of a strange sign-in lock that one, and not the browser from which the owner gave a right one', async () => {
    const app = await enrol()
    const thief = openBrowser(it.clock.now)
    expect(await guess(thief, app, 5)).toEqual(FIVE)
    expect(await thief.confirm(codeOf(app))).toBe('TOTP_LOCKED')
    expect(await work()).toBe('OK')
    it.clock.advance(60)
    const { browserKey } = browserAt(signedInAt)
    expect(await openBrowser(it.clock.now, browserKey).confirm(codeOf(app))).toBe('OK')
  })

  test('of many strange sign-ins are ten an hour together, which is written down; the owner signs in meanwhile', async () => {
    const app = await enrol()
    const { browserKey } = browserAt(signedInAt)
    const answers: string[] = []
    for (let second = 0; second < 20; second++) {
      it.clock.advance(1)
      answers.push(...(await guess(openBrowser(it.clock.now), app, 4)))
    }
    expect(answers.filter(code => code === 'TOTP_WRONG')).toHaveLength(9)
    expect(answers.slice(10)).toEqual(Array.from({ length: 70 }, () => 'TOTP_STRANGERS_LOCKED'))
    expect(await audited()).toEqual(['account.lockTotp'])
    const told = await it.db.query<{ kind: string }>({
      text: 'SELECT kind FROM owner_news WHERE uid = $1 ORDER BY at',
      values: [uid],
    })
    expect(told.map(({ kind }) => kind)).toEqual(['newAuthenticatorApp', 'codeGuessed'])
    expect(await openBrowser(it.clock.now, browserKey).confirm(codeOf(app))).toBe('OK')
    it.clock.advance(3600)
    expect(await openBrowser(it.clock.now).confirm(codeOf(app))).toBe('OK')
  })

  test('under a made-up name of a browser are a stranger’s', async () => {
    const app = await enrol()
    for (const browserKey of [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]) {
      it.clock.advance(1)
      await guess(openBrowser(it.clock.now, browserKey), app, 5)
    }
    expect(await openBrowser(it.clock.now).confirm(codeOf(app))).toBe('TOTP_STRANGERS_LOCKED')
  })

  test('that begin an app count like any others', async () => {
    const app = await enrol()
    const thief = openBrowser(it.clock.now)
    const answers: string[] = []
    for (let n = 0; n < 5; n++) answers.push(await thief.codeOfBegin(wrongFor(app)))
    expect(answers).toEqual(FIVE)
    expect(await thief.codeOfBegin(codeOf(app))).toBe('TOTP_LOCKED')
  })
})
