import { syncAccount } from '@shop/shared/account/endpoints.ts'
import { confirmOrder } from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/privacy/endpoints.ts'
import { ERASURE_WAIT_MINUTES } from '@shop/shared/privacy/erasure.ts'
import { giveSecondWord, listSecondWords } from '@shop/shared/value/endpoints.ts'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashSecret } from '../account/caller.ts'
import { checkSales } from '../dashboard/sales-check.ts'
import { erasePeopleAgain } from '../operations/erase-again.ts'
import { users } from '../testing/chat.ts'
import { createMailShop, type MailShop } from '../testing/mail.ts'
import { makePerson } from '../testing/person.ts'
import { addAccount, onceKey } from '../testing/shop.ts'
import { addWallet } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { ERASED_FOLDER, hashOfUid } from './erase.ts'
import { KEPT, KEPT_TABLES } from './personal.ts'

let it: MailShop
beforeAll(async () => {
  it = await createMailShop()
  for (const uid of ['admin-2', 'admin-3']) await addAccount(it, uid, 'admin')
})
afterAll(() => it.close())

const sql = (text: string, ...values: unknown[]) => it.db.query<Record<string, string>>({ text, values })

const ask = (uid: string, guestKey: string) => it.as(uid, { 'guest-key': guestKey }).call(contract.askErasure, {})
const openId = async () => (await it.as('admin').call(contract.listErasures, {})).rows[0]!.id

/** One admin approves, another agrees. */
async function approve(): Promise<string> {
  const id = await openId()
  expect(await it.as('admin').codeOf(contract.approveErasure, { params: { id } })).toBe('SECOND_WORD_NEEDED')
  const [word] = (await it.as('admin-2').call(listSecondWords, {})).rows
  await it.as('admin-2').call(giveSecondWord, { params: { id: word!.id } })
  return id
}

/** Every text, list of texts and JSON of every table and every file that holds one of these marks. */
async function findLeft(marks: readonly string[]): Promise<string[]> {
  const found = await sql(
    `SELECT c.table_name AS t, c.column_name AS c FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND (data_type IN ('text', 'jsonb') OR (data_type = 'ARRAY' AND udt_name = '_text'))`,
  )
  const left = await Promise.all(
    found.map(async ({ t, c }) => {
      const rows = await sql(
        `SELECT m AS mark FROM unnest($1::text[]) AS m WHERE EXISTS (SELECT FROM ${t} x WHERE strpos(x.${c}::text, m) > 0)`,
        marks,
      )
      return rows.map(({ mark }) => `${t}.${c}: ${mark}`)
    }),
  )
  const files = (
    await Promise.all(['slips', 'public', ERASED_FOLDER].map(folder => it.shop.files.list(folder).catch(() => [])))
  ).flat()
  for (const { key } of files) {
    const body = Buffer.from((await it.shop.files.read(key))!).toString()
    for (const mark of marks) if (body.includes(mark) || key.includes(mark)) left.push([`${key}: ${mark}`])
  }
  return left.flat().sort()
}

beforeEach(() => it.clock.advance(3600))

test('an account with everything is erased: no table, no file and no identity provider has the person; the books hold', async () => {
  const person = await makePerson(it, users.friend.userId)
  const { uid, lineId, guestKey, marks } = person
  // Both accounts have had shop credit, and spent it.
  for (const of of [uid, `line:${lineId}`])
    await sql('INSERT INTO credit (id, uid, created_at) VALUES ($1, $2, $3)', uuidv7(), of, it.clock.now)
  expect((await findLeft(marks)).length).toBeGreaterThan(30)
  const before = await checkLedger(it.db)
  expect(await ask(uid, guestKey)).toMatchObject({ request: { state: 'asked' }, barriers: [] })
  const id = await approve()
  // The account is closed at once, and nothing is lost while its last tokens live.
  expect(await it.as(uid).codeOf(contract.getOwnErasure, {})).toBe('ACCOUNT_INACTIVE')
  const keys = await sql('SELECT ended_for, ended_by FROM reseller_key WHERE uid = $1 ORDER BY ended_for DESC', uid)
  expect(keys).toEqual([
    { ended_for: 'staff', ended_by: 'manager' },
    { ended_for: 'account', ended_by: 'admin' },
  ])
  await it.drain()
  expect(it.mailedTo(marks[3]!)).toContain('ร้านลบบัญชีและข้อมูลของคุณแล้ว')
  expect(it.shownTo(lineId).join()).toContain('ร้านลบบัญชีและข้อมูลของคุณแล้ว')
  expect(await it.shop.identityProvider.findUser(uid)).not.toBeNull()
  it.clock.advance(ERASURE_WAIT_MINUTES * 60)
  await it.drain()
  expect(await findLeft(marks)).toEqual([])
  expect(await it.shop.identityProvider.findUser(uid)).toBeNull()
  expect(await it.shop.identityProvider.findUser(`line:${lineId}`)).toBeNull()
  expect(await it.shop.files.read(`slips/${person.slipId}.jpg`)).toBeNull()
  const after = await checkLedger(it.db)
  expect({ ...after, breaches: after.breaches.length }).toEqual({ ...before, breaches: before.breaches.length })
  expect(await checkSales(it.db)).toEqual([])
  // The audit tells that it happened, not whom; the order stays without its person.
  const told = await sql(`SELECT action, subject FROM audit_entry WHERE subject = $1 ORDER BY action`, `erasure:${id}`)
  expect(told.map(({ action }) => action)).toEqual(['account.approveErasure', 'account.erase'])
  const [order] = await sql('SELECT buyer_key, player_id, status FROM orders WHERE order_no = $1', person.orderNo)
  expect(order).toEqual({ buyer_key: `u:erased:${id}`, player_id: '', status: 'success' })
  const over = await it.as('admin').call(contract.listErasures, { query: { state: 'over' } })
  expect(over.rows[0]).toMatchObject({
    id,
    state: 'done',
    account: null,
    approvedByName: 'admin',
    secondByName: 'admin-2',
  })
})

test('who comes back under the same id finds nothing of before, and is not erased by the old request', async () => {
  const { uid, guestKey } = await makePerson(it)
  await ask(uid, guestKey)
  await approve()
  await it.drain()
  it.clock.advance(ERASURE_WAIT_MINUTES * 60)
  await it.drain()
  const again = it.as(uid)
  await again.call(syncAccount, { body: { name: 'มา', surname: 'ใหม่' } })
  const copy = JSON.parse(await ((await again.call(contract.downloadOwnData, {})) as Blob).text())
  expect(copy.account).toHaveLength(1)
  const { account: _, writtenAt: _at, ...others } = copy
  expect(Object.values<unknown[]>(others).flat()).toEqual([])
  it.clock.advance(24 * 3600)
  await it.drain()
  expect(await sql('SELECT uid FROM account WHERE uid = $1', uid)).toHaveLength(1)
})

test('what the erasure of a killed run left over is finished by the next one', async () => {
  const person = await makePerson(it)
  await ask(person.uid, person.guestKey)
  const id = await approve()
  await it.drain()
  it.clock.advance(ERASURE_WAIT_MINUTES * 60)
  const { deleteUser } = it.shop.identityProvider
  it.shop.identityProvider.deleteUser = async () => Promise.reject(new Error('the process was killed here'))
  await it.drain()
  expect((await sql('SELECT state FROM erasure WHERE id = $1', id))[0]).toEqual({ state: 'approved' })
  it.shop.identityProvider.deleteUser = deleteUser
  it.clock.advance(3600)
  await it.drain()
  expect(await findLeft(person.marks)).toEqual([])
})

test('what former staff did for the shop stays, without their name', async () => {
  const person = await makePerson(it)
  const { uid } = person
  await sql('UPDATE game SET updated_by = $1 WHERE id = 1', uid)
  await sql(
    `INSERT INTO audit_entry (id, at, actor_uid, actor_role, action, subject, after)
      VALUES ($1, $2, $3, 'manager', 'game.save', 'game:1', $4)`,
    uuidv7(),
    it.clock.now,
    uid,
    JSON.stringify({ id: 1, updatedBy: uid }),
  )
  await ask(uid, person.guestKey)
  const id = await approve()
  await it.drain()
  it.clock.advance(ERASURE_WAIT_MINUTES * 60)
  await it.drain()
  expect(await findLeft(person.marks)).toEqual([])
  expect(await sql('SELECT updated_by FROM game WHERE id = 1')).toEqual([{ updated_by: `erased:${id}` }])
  const deeds = await sql(
    `SELECT actor_role, subject FROM audit_entry WHERE actor_uid = $1 AND action = 'game.save'`,
    `erased:${id}`,
  )
  expect(deeds).toEqual([{ actor_role: 'manager', subject: 'game:1' }])
})

test('a request can be taken back until it is approved, and not by an admin who is its owner', async () => {
  const uid = 'hesitant-person'
  await addAccount(it, uid, 'customer')
  expect((await ask(uid, 'a'.repeat(22))).request).toMatchObject({ state: 'asked' })
  expect((await ask(uid, 'a'.repeat(22))).request).toMatchObject({ state: 'asked' })
  expect((await it.as(uid).call(contract.withdrawErasure, {})).request).toBeNull()
  expect(await it.as(uid).codeOf(contract.withdrawErasure, {})).toBe('ERASURE_OVER')
  await ask(uid, 'a'.repeat(22))
  await approve()
  expect(await it.as('admin').codeOf(contract.approveErasure, { params: { id: await openId() } })).toBe('ERASURE_OVER')
  it.clock.advance(ERASURE_WAIT_MINUTES * 60)
  await it.drain()
})

test('money, goods and a place in the staff stand against it, each in words', async () => {
  const uid = 'barred-person'
  await addAccount(it, uid, 'agent')
  await addWallet(it.db, { uid, balanceSatang: 50_000, pin: '1234', now: it.clock.now })
  const barriers = async (of: string) => (await it.as(of).call(contract.getOwnErasure, {})).barriers
  expect(await barriers(uid)).toEqual(['balance'])
  expect(await it.as(uid).codeOf(contract.askErasure, {})).toBe('ERASURE_BARRED')
  const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '1234' }
  await it.as(uid).call(confirmOrder, { body, idempotencyKey: onceKey() })
  expect(await barriers(uid)).toEqual(['balance', 'order'])
  await addAccount(it, 'credited-person', 'customer')
  const credit = 'INSERT INTO credit (id, uid, balance_satang, created_at) VALUES ($1, $2, 1, $3)'
  await sql(credit, uuidv7(), 'credited-person', it.clock.now)
  expect(await barriers('credited-person')).toEqual(['credit'])
  expect(await barriers('admin')).toContain('staff')
  it.clock.advance(600)
  const old = it.as('customer', { authorization: it.as('customer').headers.authorization! })
  it.clock.advance(600)
  expect(await old.codeOf(contract.askErasure, {})).toBe('RECENT_SIGN_IN_REQUIRED')
})

test("the server's role erases nobody but by an approved request", async () => {
  const uid = 'victim-person'
  await addAccount(it, uid, 'customer')
  const stateOf = (text: string, ...values: unknown[]) =>
    it.shop.db.query({ text, values }).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
  const id = uuidv7()
  const erase = () => stateOf('SELECT erase_written_once($1)', id)
  const REFUSED = '42501'
  expect(await erase()).toBe(REFUSED)
  await stateOf(`INSERT INTO erasure (id, uids, state, asked_at) VALUES ($1, ARRAY[$2], 'asked', now())`, id, uid)
  expect(await erase()).toBe(REFUSED)
  await stateOf(`UPDATE erasure SET state = 'approved' WHERE id = $1`, id)
  // Nobody approved it in what is written once.
  expect(await erase()).toBe(REFUSED)
  const approval = (actor: string, second: string | null, subject = `erasure:${id}`) =>
    stateOf(
      `INSERT INTO value_move (id, at, actor_uid, actor_role, kind, amount_satang, subject, note, second_uid, is_alone)
        VALUES ($1, now(), $2, 'admin', 'accountErased', 0, $3, '', $4, false)`,
      uuidv7(),
      actor,
      subject,
      second,
    )
  await approval('admin', null)
  await approval('admin', 'admin')
  await approval(uid, 'admin')
  await approval('admin', uid)
  await approval('admin', 'admin-2', 'erasure:another')
  expect(await erase()).toBe(REFUSED)
  await approval('admin', 'admin-2')
  // The account is in use.
  expect(await erase()).toBe(REFUSED)
  await stateOf(`UPDATE account SET status = 'inactive' WHERE uid = $1`, uid)
  // Another one's account is taken along.
  await stateOf(`UPDATE erasure SET uids = ARRAY[$2, 'customer'] WHERE id = $1`, id, uid)
  expect(await erase()).toBe(REFUSED)
  await stateOf(`UPDATE erasure SET uids = ARRAY['staff'] WHERE id = $1`, id)
  expect(await erase()).toBe(REFUSED)
  expect(await stateOf(`SELECT erase_from_written_once($1, '{customer}', '{}')`, id)).toBe(REFUSED)
  expect(await stateOf(`SELECT erase_words('{}')`)).toBe(REFUSED)
  await stateOf(`UPDATE erasure SET state = 'withdrawn' WHERE id = $1`, id)
})

test('a copy holds what is theirs and nothing of others; too many are refused', async () => {
  const person = await makePerson(it)
  const copy = JSON.parse(await ((await it.as(person.uid).call(contract.downloadOwnData, {})) as Blob).text())
  const text = JSON.stringify(copy)
  for (const mark of person.marks) expect(text).toContain(mark)
  expect(copy.orders).toHaveLength(2)
  expect(text).not.toContain('ขอโดย')
  const other = JSON.stringify(
    JSON.parse(await ((await it.as('customer').call(contract.downloadOwnData, {})) as Blob).text()),
  )
  for (const mark of person.marks) expect(other).not.toContain(mark)
})

test('a copy of a long history is whole', async () => {
  const { uid } = await makePerson(it)
  await sql(
    `INSERT INTO owner_news (id, uid, kind, about, by_shop, facts, at)
      SELECT gen_random_uuid(), $1, 'pinChanged', n, false, jsonb_build_object('n', n), now()
      FROM generate_series(1, 12001) AS n`,
    uid,
  )
  const [{ n: all } = { n: 0 }] = await it.db.query<{ n: number }>({
    text: 'SELECT count(*)::int AS n FROM owner_news WHERE uid = $1',
    values: [uid],
  })
  const copy = JSON.parse(await ((await it.as(uid).call(contract.downloadOwnData, {})) as Blob).text())
  expect(new Set(copy.news.map((row: object) => JSON.stringify(row))).size).toBe(all)
  expect(copy.news).toHaveLength(all)
})

test('after a restore the persons of the list are erased again, and not who came back later', async () => {
  const person = await makePerson(it)
  const guestHash = hashSecret(person.guestKey)
  const write = (uid: string, erasedAt: Date) =>
    it.shop.files.write(
      `${ERASED_FOLDER}/${hashOfUid(uid)}.json`,
      Buffer.from(JSON.stringify({ erasedAt, guestHash })),
      'application/json',
    )
  await write('came-back', it.clock.now)
  await addAccount(it, 'came-back', 'customer')
  it.clock.advance(1)
  await write(person.uid, it.clock.now)
  const parts = { db: it.db, files: it.shop.files, identityProvider: it.shop.identityProvider, now: it.shop.now }
  expect(await erasePeopleAgain(parts)).toBe(2)
  expect(await findLeft(person.marks)).toEqual([])
  expect(await erasePeopleAgain(parts)).toBe(0)
  expect(await sql(`SELECT uid FROM account WHERE uid = 'came-back'`)).toHaveLength(1)
})

test('every table, and every column of words, says what of it is about persons', async () => {
  const found = await sql(
    `SELECT c.table_name AS t, c.column_name AS c, c.data_type AS type FROM information_schema.columns c
      JOIN information_schema.tables USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  expect(Object.keys(KEPT).sort()).toEqual([...new Set(found.map(({ t }) => t!))].sort())
  const isWords = (type: string) =>
    ['text', 'jsonb', 'json', 'ARRAY', 'bytea'].includes(type) || type.startsWith('character')
  const unsaid = KEPT_TABLES.flatMap(([table, { goes, persons = {}, others = [] }]) =>
    goes
      ? []
      : found
          .filter(
            ({ t, c, type }) =>
              t === table && isWords(type!) && c !== 'fields_on' && !(c! in persons) && !others.includes(c!),
          )
          .map(({ c }) => `${table}.${c}`),
  )
  expect(unsaid).toEqual([])
  const named = KEPT_TABLES.flatMap(([table, { persons = {}, others = [] }]) =>
    [...Object.keys(persons), ...others]
      .filter(c => !found.some(each => each.t === table && each.c === c))
      .map(c => `${table}.${c}`),
  )
  expect(named).toEqual([])
})
