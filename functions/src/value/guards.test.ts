import { resetTotp, setUserRole } from '@shop/shared/account/endpoints.ts'
import { resetPin } from '@shop/shared/account/pin-endpoints.ts'
import { listTiers, saveTier } from '@shop/shared/agent/endpoints.ts'
import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { listManagedAccounts, saveReceivingAccount } from '@shop/shared/catalogue/manage-endpoints.ts'
import { createFeedKey, listFeedKeys } from '@shop/shared/statement/import-endpoints.ts'
import { listValueMoves } from '@shop/shared/value/endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertAudit } from '../audit/store.ts'
import { lastAudit } from '../testing/catalogue.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { giveWord, wordOf } from '../testing/words.ts'

let it: TestShop
beforeEach(async () => {
  it = await createTestShop()
  await addAccount(it, 'admin-2', 'admin')
})
afterEach(() => it.db.close())

const moved = async () => (await it.as('admin').call(listValueMoves, {})).rows
const tellings = async () => {
  const text = `SELECT count(*)::int AS n FROM outbox WHERE kind = 'chat.tell' AND payload->>'event' = 'valueMoved'`
  return (await it.db.query<{ n: number }>({ text }))[0]!.n
}
/** Who was told of ranks, and how often. */
const toldOfRanks = () =>
  it.db.query({
    text: `SELECT uid, count(*)::int AS n FROM owner_news WHERE kind = 'rankChanged' GROUP BY uid ORDER BY uid`,
  })

const tier = (change: object = {}) => ({
  body: {
    name: 'Silver',
    description: '',
    maxAmountSatang: 100_000,
    minTopUpSatang: 0,
    maxAmountPerOrderSatang: 50_000,
    maxItemPerOrder: 5,
    isActived: true,
    ...change,
  },
})

test("a tier's limits are admins', also by undo; its name is managers' too", async () => {
  expect(await it.as('manager').codeOf(saveTier, tier())).toBe('FORBIDDEN')
  const { id } = await it.as('admin').call(saveTier, tier())
  expect(await it.as('manager').codeOf(saveTier, tier({ id, name: 'Silver+' }))).toBe('OK')
  for (const change of [{ maxAmountSatang: 99_000_000 }, { maxAmountPerOrderSatang: 0 }, { maxItemPerOrder: 1000 }])
    expect(await it.as('manager').codeOf(saveTier, tier({ id, ...change }))).toBe('FORBIDDEN')
  await it.as('admin').call(saveTier, tier({ id, maxAmountSatang: 200_000 }))
  const { id: auditId } = await lastAudit(it, `tier:${id}`)
  expect(await it.as('manager').codeOf(undoChange, { body: { auditId } })).toBe('FORBIDDEN')
  expect((await it.as('admin').call(listTiers, {})).find(each => each.id === id)!.maxAmountSatang).toBe(200_000)
  expect((await moved()).map(({ note }) => note)).toEqual([
    expect.stringContaining('ยอดสูงสุดในกระเป๋า 1,000 → 2,000'),
    expect.stringContaining('Silver'),
  ])
  expect(await tellings()).toBe(2)
})

test("where customers' money goes takes a second admin, new, changed, opened or taken back; to close one takes nobody", async () => {
  const [first] = await it.as('admin').call(listManagedAccounts, {})
  const { id, version, code, accountName, accountNo, branch, promptPayId, isActive } = first!
  const same = { id, version, code, accountName, accountNo, branch, promptPayId, isActive }
  const save = (change: object) => ({ body: { ...same, ...change } as never })
  const { id: _, version: _version, ...fresh } = same
  for (const change of [{ accountNo: '9998887776' }, { promptPayId: '0899999999' }, { accountName: 'นาย อื่น' }])
    expect(await it.as('admin').codeOf(saveReceivingAccount, save(change))).toBe('SECOND_WORD_NEEDED')
  const wordId = await wordOf(it.as('admin'), saveReceivingAccount, {
    body: { ...fresh, accountNo: '1231231231' } as never,
  })
  await giveWord(it, 'admin-2', wordId)
  const accounts = await it.as('admin').call(listManagedAccounts, {})
  const made = accounts.find(each => each.accountNo === '1231231231')!
  expect(made.isActive).toBe(true)
  await it.as('admin').call(saveReceivingAccount, {
    body: { ...fresh, id: made.id, version: made.version, accountNo: made.accountNo, isActive: false } as never,
  })
  const { id: auditId } = await lastAudit(it, `receivingAccount:${made.id}`)
  expect(await it.as('admin').codeOf(undoChange, { body: { auditId } })).toBe('SECOND_WORD_NEEDED')
  expect((await moved()).map(({ kind, secondName }) => [kind, secondName])).toEqual([['receivingAccount', 'admin-2']])
})

test('a feed key takes a second admin; the key itself is told to who asked, who makes it once', async () => {
  const asked = { body: { name: 'เครื่องที่ร้าน', receivingAccountId: 1, days: 30 } as never }
  const wordId = await wordOf(it.as('admin'), createFeedKey, asked)
  const given = await giveWord(it, 'admin-2', wordId)
  expect(given).toEqual({ isDone: false })
  expect(await it.as('admin').call(listFeedKeys, {})).toEqual([])
  const kept = await it.db.query({ text: 'SELECT input FROM second_word WHERE input IS NOT NULL' })
  expect(kept).toEqual([])
  // Two at once: the word is there for one.
  const codes = await Promise.all([
    it.as('admin').codeOf(createFeedKey, asked),
    it.as('admin').codeOf(createFeedKey, asked),
  ])
  expect(codes.filter(code => code === 'OK').length).toBe(1)
  expect((await it.as('admin').call(listFeedKeys, {})).length).toBe(1)
  expect(await it.as('admin').codeOf(createFeedKey, asked)).toBe('SECOND_WORD_NEEDED')
})

test('a word for a feed key that is a day old is worth nothing', async () => {
  const asked = { body: { name: 'เครื่องที่ร้าน', receivingAccountId: 1, days: 30 } as never }
  await giveWord(it, 'admin-2', await wordOf(it.as('admin'), createFeedKey, asked))
  it.clock.advance(24 * 3600)
  expect(await it.as('admin').codeOf(createFeedKey, asked)).toBe('SECOND_WORD_NEEDED')
})

test('a new admin is two admins word; managers and admins who come and go are told', async () => {
  const wordId = await wordOf(it.as('admin'), setUserRole, become('staff', 'admin'))
  await addAccount(it, 'staff-2', 'staff')
  expect(await it.as('admin').codeOf(setUserRole, become('staff-2', 'manager'))).toBe('OK')
  expect(await it.as('admin').codeOf(setUserRole, become('manager', 'manager', false))).toBe('OK')
  await giveWord(it, 'admin-2', wordId)
  // Whoever was given the rank a moment ago is no second person for who gave it.
  const next = await wordOf(it.as('admin'), setUserRole, become('staff-2', 'admin'))
  await expect(giveWord(it, 'staff', next)).rejects.toMatchObject({ code: 'SECOND_WORD_NOT_YOURS' })
  expect((await moved()).map(({ kind }) => kind).toSorted()).toEqual(['adminMade', 'rankChanged', 'rankChanged'])
  expect(await it.as('admin').codeOf(resetTotp, { params: { uid: 'admin-2' } })).toBe('TOTP_NOT_ENROLLED')
})

const become = (uid: string, role: 'customer' | 'staff' | 'manager' | 'admin', isActived = true) => ({
  body: { uid, role, isActived },
})

test('whoever comes to the back office, is let in again or goes is told to every admin and to them, staff too', async () => {
  await addAccount(it, 'friend', 'customer')
  const change = (...of: Parameters<typeof become>) => it.as('manager').codeOf(setUserRole, become(...of))
  const steps = [
    await change('friend', 'staff'),
    await change('friend', 'staff', false),
    await change('friend', 'staff'),
  ]
  expect([...steps, await change('friend', 'customer')]).toEqual(['OK', 'OK', 'OK', 'OK'])
  expect((await moved()).map(({ kind, uid }) => [kind, uid])).toEqual(Array(4).fill(['rankChanged', 'manager']))
  const told = ['admin', 'admin-2', 'friend'].map(uid => ({ uid, n: 4 }))
  expect(await toldOfRanks()).toEqual(told)
  // Customers are nobody's colleagues.
  expect(await change('friend', 'customer', false)).toBe('OK')
  expect(await toldOfRanks()).toEqual(told)
})

test('a manager whom an admin made is no other person for a fortnight: alone, the admin goes on and all are told', async () => {
  await it.db.query({ text: `UPDATE account SET role = 'customer' WHERE uid IN ('manager', 'admin-2')` })
  await it.as('admin').call(setUserRole, become('staff', 'manager'))
  await addWallet(it.db, { uid: 'agent', balanceSatang: 3_000_000, pin: '1234', now: it.clock.now })
  await addAccount(it, 'agent-2', 'agent')
  await addWallet(it.db, { uid: 'agent-2', balanceSatang: 3_000_000, pin: '1234', now: it.clock.now })
  const reset = (uid: string, of = 'agent') => it.as(uid).codeOf(resetPin, { params: { uid: of } })
  expect(await reset('admin')).toBe('OK')
  expect((await moved())[0]).toMatchObject({ kind: 'pinReset', amountSatang: 3_000_000, isAlone: true })
  // Nor does it keep the new manager from working: the only admin may stand behind them, and is told as one who was alone.
  const wordId = await wordOf(it.as('staff'), resetPin, { params: { uid: 'agent-2' } })
  await giveWord(it, 'admin', wordId)
  expect(await reset('staff', 'agent-2')).toBe('OK')
  expect((await moved())[0]).toMatchObject({ uid: 'staff', secondName: 'admin', isAlone: true })
  it.clock.advance(14 * 24 * 3600)
  expect(await reset('admin')).toBe('SECOND_WORD_NEEDED')
})

test('who gives a manager of long ago a password is not alone by that', async () => {
  await it.db.query({ text: `UPDATE account SET role = 'customer' WHERE uid = 'admin-2'` })
  await insertAudit(it.db, {
    actorUid: 'admin',
    actorRole: 'admin',
    action: 'account.resetPassword',
    subject: 'account:manager',
    before: null,
    after: null,
    at: it.clock.now,
  })
  await addWallet(it.db, { uid: 'agent', balanceSatang: 3_000_000, pin: '1234', now: it.clock.now })
  const wordId = await wordOf(it.as('manager'), resetPin, { params: { uid: 'agent' } })
  await expect(giveWord(it, 'admin', wordId)).rejects.toMatchObject({ code: 'SECOND_WORD_NOT_YOURS' })
})
