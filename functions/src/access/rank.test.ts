import { removeLink, resetTotp, setUserRole, updateUserAuthentication } from '@shop/shared/account/endpoints.ts'
import { OWNER_NEWS } from '@shop/shared/account/news.ts'
import { stepDown } from '@shop/shared/account/rank-endpoints.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { saveOption } from '@shop/shared/settings/endpoints.ts'
import { LOST_RIGHT_SECONDS, RANK_TIE_SECONDS } from '@shop/shared/value/value.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insertAudit } from '../audit/store.ts'
import { linkLine, users } from '../testing/chat.ts'
import { createMailShop, type MailShop } from '../testing/mail.ts'
import type { createMemoryIdentity } from '../testing/memory-identity.ts'
import { addAccount } from '../testing/shop.ts'
import { giveWord, wordOf } from '../testing/words.ts'
import { endAdminByOperator, makeFirstAdmin } from './first-admin.ts'

let it: MailShop
beforeEach(async () => {
  it = await createMailShop()
  await addAccount(it, 'admin-2', 'admin')
})
afterEach(() => it.close())

const become = (uid: string, role: Role, isActived: boolean | null = true) => ({ body: { uid, role, isActived } })
const roleOf = async (uid: string) =>
  (await it.db.query<{ role: Role }>({ text: 'SELECT role FROM account WHERE uid = $1', values: [uid] }))[0]!.role
const enrol = (uid: string) =>
  it.db.query({ text: `INSERT INTO account_totp (uid, secret) VALUES ($1, 'sealed')`, values: [uid] })
let amount = 20_000
/** Asks for a higher two-person amount, which the only admin needs nobody for. */
const loosen = (uid: string) => {
  const body = { optionName: 'TWO_PERSON_APPROVAL_AMOUNT', optionValue: String(amount + 1), fromValue: String(amount) }
  return it.as(uid).codeOf(saveOption, { body } as never)
}
const isAlone = async (uid: string): Promise<boolean> => {
  const code = await loosen(uid)
  if (code === 'OK') amount++
  else expect(code).toBe('SECOND_WORD_NEEDED')
  return code === 'OK'
}
beforeEach(() => {
  amount = 20_000
})
const WEEKS = 30 * 24 * 3600

describe('of three admins', () => {
  beforeEach(() => addAccount(it, 'admin-3', 'admin'))

  test.each([
    ['demoted', become('admin-2', 'manager')],
    ['sent away', become('admin-2', 'customer')],
    ['closed', become('admin-2', 'admin', false)],
  ])('one is %s by two others, who are not the one themself', async (_, change) => {
    const wordId = await wordOf(it.as('admin'), setUserRole, change)
    await expect(giveWord(it, 'admin-2', wordId)).rejects.toMatchObject({ code: 'SECOND_WORD_NOT_YOURS' })
    expect(await roleOf('admin-2')).toBe('admin')
    await giveWord(it, 'admin-3', wordId)
    const [row] = await it.db.query({
      text: `SELECT kind, actor_uid AS actor, second_uid AS second FROM value_move ORDER BY at DESC LIMIT 1`,
    })
    expect(row).toEqual({ kind: 'adminEnded', actor: 'admin', second: 'admin-3' })
  })

  test('so is whose authenticator app or way to sign in is taken away; a password is set for none of them', async () => {
    await enrol('admin-2')
    await it.db.query({ text: `UPDATE account SET providers = '{password,google.com}' WHERE uid = 'admin-2'` })
    await it.shop.identityProvider.createUser({ uid: 'admin-2', email: 'admin-2@test.shop' })
    const app = await wordOf(it.as('admin'), resetTotp, { params: { uid: 'admin-2' } })
    const link = { params: { uid: 'admin-2', provider: 'google.com' as const } }
    const way = await wordOf(it.as('admin'), removeLink, link)
    const body = { uid: 'admin-2', password: 'first-Pass-1' }
    expect(await it.as('admin').codeOf(updateUserAuthentication, { body })).toBe('ADMIN_PASSWORD')
    for (const wordId of [app, way]) await giveWord(it, 'admin-3', wordId)
    expect(await it.as('admin').codeOf(resetTotp, { params: { uid: 'admin-2' } })).toBe('TOTP_NOT_ENROLLED')
    expect(await it.as('admin').codeOf(removeLink, link)).toBe('NOT_FOUND')
  })

  test('who ended one is not alone once the other one resigned, nor who agreed to it, after whatever time', async () => {
    await giveWord(it, 'admin-3', await wordOf(it.as('admin'), setUserRole, become('admin-2', 'customer')))
    it.clock.advance(WEEKS)
    await it.as('admin-3').call(stepDown, {})
    it.clock.advance(WEEKS)
    expect(await isAlone('admin')).toBe(false)
    // The other way round: who agreed is left.
    await it.db.query({ text: `UPDATE account SET role = 'admin' WHERE uid = 'admin-3'` })
    await it.db.query({ text: `UPDATE account SET role = 'manager' WHERE uid = 'admin'` })
    expect(await isAlone('admin-3')).toBe(false)
    await endAdminByOperator(it.shop, 'admin-2@test.shop')
    expect(await isAlone('admin-3')).toBe(true)
  })
})

describe('of two admins', () => {
  test('neither ends the other, nor shuts them out, and is told who can', async () => {
    await enrol('admin-2')
    for (const change of [become('admin-2', 'manager'), become('admin-2', 'admin', false)]) {
      const refused = it.as('admin').call(setUserRole, change)
      await expect(refused).rejects.toMatchObject({
        code: 'LAST_TWO_ADMINS',
        message: expect.stringMatching(/ลาออกเอง.*end-admin/),
      })
    }
    expect(await it.as('admin').codeOf(resetTotp, { params: { uid: 'admin-2' } })).toBe('LAST_TWO_ADMINS')
    it.clock.advance(WEEKS)
    expect(await isAlone('admin')).toBe(false)
    expect(await roleOf('admin-2')).toBe('admin')
  })

  test('one steps down from a session of theirs; the other is alone after three days, and nobody before', async () => {
    await it.as('admin-2').call(stepDown, {})
    expect(await roleOf('admin-2')).toBe('manager')
    expect(await isAlone('admin')).toBe(false)
    it.clock.advance(LOST_RIGHT_SECONDS + 1)
    expect(await isAlone('admin')).toBe(true)
    expect(await it.as('admin').codeOf(stepDown, {})).toBe('LAST_ADMIN')
    expect(await it.as('admin-2').codeOf(stepDown, {})).toBe('FORBIDDEN')
  })

  test('who once set a secret of the one that stepped down is not alone by that', async () => {
    const reset = { action: 'account.resetPassword', subject: 'account:admin-2', before: null, after: null } as const
    await insertAudit(it.db, { actorUid: 'admin', actorRole: 'admin', ...reset, at: it.clock.now })
    it.clock.advance(WEEKS)
    await it.as('admin-2').call(stepDown, {})
    it.clock.advance(WEEKS)
    expect(await isAlone('admin')).toBe(false)
  })

  test('two who step down at the same moment do not both', async () => {
    const codes = await Promise.all(['admin', 'admin-2'].map(uid => it.as(uid).codeOf(stepDown, {})))
    expect(codes.toSorted()).toEqual(['LAST_ADMIN', 'OK'])
  })

  test('the operator ends one, who is told as the other is, and begins anew with the same command as at first', async () => {
    await enrol('admin-2')
    expect(await endAdminByOperator(it.shop, 'ADMIN-2@test.shop')).toEqual({ wasAdmin: true, adminsLeft: 1 })
    expect(await roleOf('admin-2')).toBe('customer')
    await it.drain()
    for (const uid of ['admin', 'admin-2'])
      expect(it.mailedTo(`${uid}@test.shop`)).toEqual([OWNER_NEWS.rankChanged.title])
    expect(await isAlone('admin')).toBe(false)
    it.clock.advance(LOST_RIGHT_SECONDS + 1)
    expect(await isAlone('admin')).toBe(true)
    await it.shop.identityProvider.createUser({ uid: 'admin-2', email: 'admin-2@test.shop' })
    const provider = it.shop.identityProvider as ReturnType<typeof createMemoryIdentity>
    provider.users.get('admin-2')!.emailVerified = true
    expect(await makeFirstAdmin(it.shop, 'admin-2@test.shop', { another: true })).toMatchObject({ uid: 'admin-2' })
    expect(await it.as('admin').codeOf(resetTotp, { params: { uid: 'admin-2' } })).toBe('TOTP_NOT_ENROLLED')
  })
})

test('an only admin who made another, and thinks better of it within a fortnight, is as alone as before', async () => {
  await it.db.query({ text: `UPDATE account SET role = 'customer' WHERE uid = 'admin-2'` })
  expect(await it.as('admin').codeOf(setUserRole, become('admin-2', 'admin'))).toBe('OK')
  it.clock.advance(RANK_TIE_SECONDS / 2)
  expect(await it.as('admin').codeOf(setUserRole, become('admin-2', 'customer'))).toBe('OK')
  it.clock.advance(LOST_RIGHT_SECONDS + 1)
  expect(await isAlone('admin')).toBe(true)
})

test('an end of long ago, by one word, leaves who did it with nobody until the operator says that it is right', async () => {
  await it.db.query({ text: `UPDATE account SET role = 'customer' WHERE uid = 'admin-2'` })
  await insertAudit(it.db, {
    actorUid: 'admin',
    actorRole: 'admin',
    action: 'account.setRole',
    subject: 'account:admin-2',
    before: { role: 'admin', status: 'active' },
    after: { role: 'customer', status: 'active' },
    at: it.clock.now,
  })
  it.clock.advance(WEEKS)
  expect(await isAlone('admin')).toBe(false)
  expect(await endAdminByOperator(it.shop, 'admin-2@test.shop')).toEqual({ wasAdmin: false, adminsLeft: 1 })
  expect(await isAlone('admin')).toBe(true)
})

describe('news of a rank', () => {
  const card = expect.stringContaining(OWNER_NEWS.rankChanged.title)
  const told = (...uids: string[]) => uids.map(uid => it.mailedTo(`${uid}@test.shop`))

  test('go to every admin, and to whose it was, in LINE and by mail, as they were before the change', async () => {
    await addAccount(it, 'admin-3', 'admin')
    await linkLine(it, 'admin-2', users.friend.userId)
    const wordId = await wordOf(it.as('admin'), setUserRole, become('admin-2', 'customer'))
    await it.drain()
    await giveWord(it, 'admin-3', wordId)
    // Nobody of them is an admin any more when the messages are made.
    await it.db.query({ text: `UPDATE account SET role = 'customer' WHERE role = 'admin'` })
    await it.drain()
    expect(it.shownTo(users.friend.userId).at(-1)).toEqual(card)
    for (const mails of told('admin', 'admin-2', 'admin-3')) expect(mails).toContain(OWNER_NEWS.rankChanged.title)
    const [news] = await it.db.query<{ facts: object }>({
      text: `SELECT facts FROM owner_news WHERE kind = 'rankChanged' AND uid = 'admin-2'`,
    })
    expect(news!.facts).toMatchObject({ whose: 'admin-2', byName: 'admin', secondName: 'admin-3' })
  })

  test('go to a manager who is demoted and to every admin, and each time, however much noise there was before', async () => {
    for (let turn = 0; turn < 12; turn++)
      await it.as('manager').call(setUserRole, become('staff', 'staff', turn % 2 === 1))
    await it.as('admin').call(setUserRole, become('manager', 'staff'))
    await it.drain()
    const [manager, admin, other] = told('manager', 'admin', 'admin-2')
    expect(manager).toEqual([OWNER_NEWS.rankChanged.title])
    expect([admin!.length, other!.length]).toEqual([13, 13])
  })

  test('go to who was admin before, where the operator makes one more', async () => {
    await makeFirstAdmin(it.shop, 'third@test.shop', { another: true })
    await it.drain()
    for (const mails of told('admin', 'admin-2')) expect(mails).toEqual([OWNER_NEWS.rankChanged.title])
  })
})
