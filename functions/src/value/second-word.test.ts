import { stepDown } from '@shop/shared/account/rank-endpoints.ts'
import { listAudit, undoChange } from '@shop/shared/audit/endpoints.ts'
import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import { listOptions, saveOption } from '@shop/shared/settings/endpoints.ts'
import * as contract from '@shop/shared/value/endpoints.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweep } from '../jobs/housekeeping.ts'
import { lastAudit } from '../testing/catalogue.ts'
import { addAccount, createTestShop, type TestShop } from '../testing/shop.ts'

let it: TestShop
beforeEach(async () => {
  it = await createTestShop()
  for (const uid of ['admin-2', 'admin-3']) await addAccount(it, uid, 'admin')
})
afterEach(() => it.db.close())

const AMOUNT = 'TWO_PERSON_APPROVAL_AMOUNT'
const set = (to: string, from = '20000') => ({
  body: { optionName: AMOUNT, optionValue: to, fromValue: from } as const,
})
const value = async () =>
  (await it.as('admin').call(listOptions, {})).find(({ optionName }) => optionName === AMOUNT)!.optionValue
const waiting = async (uid: string) => (await it.as(uid).call(contract.listSecondWords, {})).rows
const give = (uid: string, id: string) => it.as(uid).codeOf(contract.giveSecondWord, { params: { id } })

/** An admin asks for a higher amount; the id of the question. */
async function ask(to = '50000', uid = 'admin'): Promise<string> {
  const error = await it
    .as(uid)
    .call(saveOption, set(to))
    .catch((thrown: unknown) => thrown as { code: string; details: { secondWordId: string } })
  expect(error).toMatchObject({ code: 'SECOND_WORD_NEEDED', message: expect.stringContaining('ผู้ดูแลระบบคนอื่น') })
  return (error as { details: { secondWordId: string } }).details.secondWordId
}

const moves = () =>
  it.db.query<{ kind: string; actor: string; second: string | null; alone: boolean }>({
    text: 'SELECT kind, actor_uid AS actor, second_uid AS second, is_alone AS alone FROM value_move ORDER BY at, id',
  })
const told = async (event: string) =>
  (
    await it.db.query<{ id: string }>({
      text: `SELECT payload->>'id' AS id FROM outbox WHERE kind = 'chat.tell' AND payload->>'event' = $1`,
      values: [event],
    })
  ).map(({ id }) => id)

test('a manager cannot raise the amount that holds for them, nor take its setting back', async () => {
  expect(await it.as('manager').codeOf(saveOption, set('999999999'))).toBe('FORBIDDEN')
  await it.as('admin').call(saveOption, set('10000'))
  const { id: auditId } = await lastAudit(it, `option:${AMOUNT}`)
  expect(await it.as('manager').codeOf(undoChange, { body: { auditId } })).toBe('FORBIDDEN')
  expect(await value()).toBe('10000')
})

test('to lower it an admin needs nobody, all admins are told; to raise it waits for another, and then is done in their name', async () => {
  await it.as('admin').call(saveOption, set('20000', '20000'))
  const id = await ask()
  expect(await ask()).toBe(id)
  expect(await value()).toBe('20000')
  expect(await told('secondWordNeeded')).toEqual([id])
  const [seen] = await waiting('admin-2')
  expect(seen).toMatchObject({ id, kind: 'guardLoosened', askedBy: 'admin', isOwn: false, barrier: null })
  expect(seen!.note).toContain('20000 → 50000')
  expect((await waiting('admin'))[0]).toMatchObject({ id, isOwn: true, barrier: expect.stringContaining('ขอเอง') })
  const counted = async (uid: string) => (await it.as(uid).call(getBacklog, {})).waiting.secondWords?.count
  expect([await counted('admin'), await counted('admin-2'), await counted('manager')]).toEqual([0, 1, 0])
  it.clock.advance(60)
  expect(await it.as('admin-2').call(contract.giveSecondWord, { params: { id } })).toEqual({ isDone: true })
  expect(await value()).toBe('50000')
  expect(await moves()).toEqual([{ kind: 'guardLoosened', actor: 'admin', second: 'admin-2', alone: false }])
  expect((await told('valueMoved')).length).toBe(1)
  const entries = (await it.as('admin').call(listAudit, {})).rows
  expect(entries.map(({ action, actorUid }) => [action, actorUid])).toEqual(
    expect.arrayContaining([
      ['value.give', 'admin-2'],
      ['option.save', 'admin'],
    ]),
  )
  expect(await give('admin-3', id)).toBe('SECOND_WORD_OVER')
})

test('nobody gives it to themself, no manager gives it, and what has another id is not there', async () => {
  const id = await ask()
  expect(await give('admin', id)).toBe('SECOND_WORD_NOT_YOURS')
  expect(await give('manager', id)).toBe('SECOND_WORD_NOT_YOURS')
  expect(await give('staff', id)).toBe('FORBIDDEN')
  expect(await give('admin-2', '01a1f903-0005-7b09-91c6-000000000001')).toBe('NOT_FOUND')
  expect(await value()).toBe('20000')
  expect(await give('admin-2', id)).toBe('OK')
})

test('of many who confirm at the same moment one does it', async () => {
  const id = await ask()
  const codes = await Promise.all(['admin-2', 'admin-3', 'admin-2', 'admin-3'].map(uid => give(uid, id)))
  expect(codes.filter(code => code === 'OK').length).toBe(1)
  expect((await moves()).length).toBe(1)
})

test('what was changed meanwhile is not overwritten: the question is stale', async () => {
  const id = await ask()
  await it.as('admin-3').call(saveOption, set('15000'))
  expect(await give('admin-2', id)).toBe('SECOND_WORD_OVER')
  expect(await value()).toBe('15000')
  expect(await give('admin-2', id)).toBe('SECOND_WORD_OVER')
  const settled = await it.as('admin').call(contract.listSecondWords, { query: { state: 'settled' } })
  expect(settled.rows[0]).toMatchObject({ id, state: 'stale' })
})

test.each([0, 5])('who asked must still have the right %i seconds later, when it is confirmed', async seconds => {
  const id = await ask()
  it.clock.advance(seconds)
  await it.db.query({ text: `UPDATE account SET role = 'manager' WHERE uid = 'admin'` })
  expect(await give('admin-2', id)).toBe('SECOND_WORD_CHANGED')
  expect(await value()).toBe('20000')
  const settled = await it.as('admin-2').call(contract.listSecondWords, { query: { state: 'settled' } })
  expect(settled.rows[0]).toMatchObject({ id, state: 'refused', reason: 'ผู้ขอไม่มีสิทธิ์ทำรายการนี้แล้ว' })
})

test('sessions that were ended since ask for nothing any more', async () => {
  const id = await ask()
  it.clock.advance(5)
  await it.db.query({ text: `UPDATE account SET tokens_valid_after = $1 WHERE uid = 'admin'`, values: [it.clock.now] })
  expect(await give('admin-2', id)).toBe('SECOND_WORD_CHANGED')
  expect(await value()).toBe('20000')
})

test.each([
  ['account.resetPassword', 24],
  ['account.resetTotp', 24],
  ['agent.create', 24],
  ['account.setRole', 14 * 24],
])('who could act as the other is no second person: %s, for %i hours, both ways', async (action, hours) => {
  const tie = (actor: string, uid: string) =>
    it.db.query({
      text: `INSERT INTO audit_entry (id, at, actor_uid, actor_role, action, subject) VALUES (gen_random_uuid(), $1, $2, 'admin', $3, $4)`,
      values: [it.clock.now, actor, action, `account:${uid}`],
    })
  await tie('admin', 'admin-2')
  await tie('admin-3', 'admin')
  it.clock.advance(hours * 3600 - 1)
  const id = await ask()
  expect([await give('admin-2', id), await give('admin-3', id)]).toEqual([
    'SECOND_WORD_NOT_YOURS',
    'SECOND_WORD_NOT_YOURS',
  ])
  it.clock.advance(1)
  expect(await give('admin-2', id)).toBe('OK')
})

test('it is refused with a reason, or taken back by who asked', async () => {
  const first = await ask()
  const refuse = (uid: string, id: string) =>
    it.as(uid).codeOf(contract.refuseSecondWord, { params: { id }, body: { reason: 'ไม่ได้ตกลงกันไว้' } })
  expect(await refuse('manager', first)).toBe('SECOND_WORD_NOT_YOURS')
  expect(await refuse('admin-2', first)).toBe('OK')
  expect(await give('admin-3', first)).toBe('SECOND_WORD_OVER')
  const second = await ask()
  expect(second).not.toBe(first)
  expect(await refuse('admin', second)).toBe('OK')
  const settled = await it.as('admin').call(contract.listSecondWords, { query: { state: 'settled' } })
  expect(settled.rows.map(({ state, reason }) => [state, reason])).toEqual(
    expect.arrayContaining([
      ['refused', 'ไม่ได้ตกลงกันไว้'],
      ['withdrawn', 'ไม่ได้ตกลงกันไว้'],
    ]),
  )
})

test('it waits for a day, and the sweep puts it down', async () => {
  const id = await ask()
  it.clock.advance(24 * 3600)
  expect(await give('admin-2', id)).toBe('SECOND_WORD_OVER')
  expect(await waiting('admin-2')).toEqual([])
  await sweep(it.shop)
  const [row] = await it.db.query<{ state: string }>({
    text: 'SELECT state FROM second_word WHERE id = $1',
    values: [id],
  })
  expect(row!.state).toBe('expired')
})

test('a shop of one admin is not locked out of itself, three days after the others left', async () => {
  await it.as('admin-2').call(stepDown, {})
  await it.as('admin-3').call(stepDown, {})
  expect(await it.as('admin').codeOf(saveOption, set('50000'))).toBe('SECOND_WORD_NEEDED')
  it.clock.advance(72 * 3600 + 1)
  expect(await it.as('admin').codeOf(saveOption, set('60000'))).toBe('OK')
  expect((await moves()).at(-1)).toEqual({ kind: 'guardLoosened', actor: 'admin', second: null, alone: true })
})

test('who moved what in a week is told to admins, by person and one by one', async () => {
  await give('admin-2', await ask())
  const { from, to, movers } = await it.as('admin').call(contract.listValueMovers, {})
  expect([from, to]).toEqual(['2026-11-16', '2026-11-22'])
  expect(movers).toMatchObject([
    { uid: 'admin', kinds: [{ kind: 'guardLoosened', count: 1, sumSatang: 0, seconded: 1 }] },
  ])
  const { rows } = await it.as('admin').call(contract.listValueMoves, { query: { week: '2026-11-18', uid: 'admin' } })
  expect(rows).toMatchObject([
    { kind: 'guardLoosened', subject: `option:${AMOUNT}`, secondName: 'admin-2', isAlone: false },
  ])
  const before = await it.as('admin').call(contract.listValueMoves, { query: { week: '2026-11-09' } })
  expect(before.rows).toEqual([])
  expect(await it.as('manager').codeOf(contract.listValueMovers, {})).toBe('FORBIDDEN')
})
