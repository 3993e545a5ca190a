import type { AppError } from '@shop/shared/errors.ts'
import { listStatementLines } from '@shop/shared/statement/endpoints.ts'
import * as contract from '@shop/shared/statement/import-endpoints.ts'
import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { linesNow, scbFile } from '../testing/statement.ts'
import { giveWord } from '../testing/words.ts'

let it: TestShop
let key: string
beforeAll(async () => {
  it = await createTestShop({ RATE_LIMIT_FEEDS_PER_KEY: '15' })
  key = (await makeKey('เครื่องร้าน')).key
})
/** Of somebody who is not the only admin another one is asked first. */
async function makeKey(
  name: string,
  uid = 'admin',
  change: { receivingAccountId?: number; days?: number | null } = {},
) {
  const body = { name, receivingAccountId: fixture.accounts.second, ...change }
  const make = () => it.as(uid).call(contract.createFeedKey, { body })
  return make().catch(async (error: AppError) => {
    if (error.code !== 'SECOND_WORD_NEEDED') throw error
    await giveWord(it, uid === 'admin' ? 'admin2' : 'admin', error.details!.secondWordId as string)
    return make()
  })
}
beforeEach(() => it.db.query({ text: 'TRUNCATE statement_line, statement_event, rate_limit CASCADE' }))
afterAll(() => it.db.close())

interface Line {
  at: Date
  amountSatang: number
  balanceSatang?: number
  reference?: string
}
const feed = (lines: Line[], feedKey = key, accountNo = '987-6-54321-0') =>
  it.as(null, { 'x-feed-key': feedKey }).call(contract.feedStatementLines, {
    body: { accountNo, lines: lines.map(({ at, ...line }) => ({ ...line, at: at.toISOString() })) },
  })
const ago = (seconds: number) => addSeconds(it.clock.now, -seconds)

test('lines are taken once and matched at once', async () => {
  await addAccount(it, 'payer', 'customer')
  const { amountSatang, orderNo } = await buyByBank(it.as('payer'), { receivingAccountId: fixture.accounts.second })
  const lines = [
    { at: ago(-30), amountSatang },
    { at: ago(10), amountSatang: 5 },
    { at: ago(10), amountSatang: -5 },
  ]
  expect(await feed(lines)).toEqual({ imported: 3, known: 0, matched: 1 })
  expect(await feed(lines)).toEqual({ imported: 0, known: 3, matched: 0 })
  expect((await linesNow(it)).filter(({ target }) => target)).toMatchObject([{ target: orderNo, state: 'matched' }])
})

test.each([true, false])(
  'a feed and a file that tell of the same movements make one line each; the file first: %s',
  async fileFirst => {
    // Two of one minute, of which the file tells no seconds.
    const at = new Date('2026-11-20T04:00:00Z')
    const moved = [
      { at: addSeconds(at, 7), amountSatang: 300 },
      { at: addSeconds(at, 40), amountSatang: 300 },
    ]
    const byFile = async () => {
      const manager = it.as('manager')
      const params = { receivingAccountId: fixture.accounts.second }
      const { fileId } = await manager.call(contract.readStatementFile, { params, file: scbFile(moved, 0) })
      await manager.call(contract.importStatementFile, {
        params: { fileId },
        body: { mapping: null, remember: false },
        idempotencyKey: onceKey(),
      })
    }
    const byFeed = () => feed(moved.map((line, index) => ({ ...line, balanceSatang: 300 * (index + 1) })))
    await (fileFirst ? byFile() : byFeed())
    await (fileFirst ? byFeed() : byFile())
    expect(await linesNow(it)).toHaveLength(2)
  },
)

test('the bank’s own id alone tells lines apart', async () => {
  const line = { at: ago(60), amountSatang: 900 }
  expect(
    await feed([
      { ...line, reference: 'a' },
      { ...line, reference: 'b' },
      { ...line, reference: 'a' },
    ]),
  ).toMatchObject({ imported: 2, known: 1 })
  expect(await feed([{ ...line, at: ago(30), reference: 'b' }])).toMatchObject({ imported: 0, known: 1 })
})

test('calls at the same time add each line once', async () => {
  const lines = Array.from({ length: 50 }, (_, n) => ({ at: ago(n), amountSatang: 1000 + n }))
  const replies = await Promise.all([feed(lines), feed(lines.slice(10)), feed(lines.slice(0, 40))])
  expect(replies.reduce((sum, { imported }) => sum + imported, 0)).toBe(50)
  expect(await linesNow(it)).toHaveLength(50)
})

test('all or nothing: one line of the future, or of no amount, keeps all out', async () => {
  const good = { at: ago(1), amountSatang: 10 }
  await expect(feed([good, { at: ago(-601), amountSatang: 10 }])).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  await expect(feed([good, { at: ago(1), amountSatang: 0 }])).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await linesNow(it)).toEqual([])
})

test('keys: two live side by side, an ended one and a wrong one are refused, only admins make them', async () => {
  const admin = it.as('admin')
  const second = await makeKey('ใหม่')
  const line = [{ at: ago(1), amountSatang: 10 }]
  await feed(line, second.key)
  await feed(line)
  const keys = await admin.call(contract.listFeedKeys, {})
  expect(keys).toMatchObject([
    { name: 'เครื่องร้าน', createdByName: 'admin', lastUsedAt: it.clock.now.toISOString() },
    { name: 'ใหม่', lastUsedAt: it.clock.now.toISOString() },
  ])
  expect(JSON.stringify(keys)).not.toContain(key)
  await admin.call(contract.revokeFeedKey, { params: { id: second.id } })
  expect(await admin.codeOf(contract.revokeFeedKey, { params: { id: second.id } })).toBe('NOT_FOUND')
  for (const wrong of [second.key, '', 'x', 'A'.repeat(43)])
    await expect(feed(line, wrong)).rejects.toMatchObject({ code: 'FEED_KEY_INVALID' })
  await expect(feed(line, key, '0000')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(makeKey('x', 'manager')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const audit = await it.db.query<{ action: string }>({
    text: `SELECT action FROM audit_entry WHERE action LIKE 'feedKey%' ORDER BY at, id`,
  })
  expect(audit.map(({ action }) => action)).toEqual(['feedKey.create', 'feedKey.create', 'feedKey.revoke'])
})

test('a key is of one account: lines of another one are refused', async () => {
  const line = [{ at: ago(1), amountSatang: 10 }]
  await expect(feed(line, key, '012-3-45678-9')).rejects.toMatchObject({ code: 'FEED_KEY_WRONG_ACCOUNT' })
  expect(await linesNow(it)).toEqual([])
  await expect(makeKey('x', 'admin', { receivingAccountId: 99 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const own = await makeKey('ของบัญชีแรก', 'admin', { receivingAccountId: fixture.accounts.promptPay })
  expect(await feed(line, own.key, '0123456789')).toMatchObject({ imported: 1 })
})

test('a key ends with its maker’s role, and with its time', async () => {
  await addAccount(it, 'admin2', 'admin')
  const theirs = await makeKey('ของแอดมินคนที่สอง', 'admin2')
  const short = await makeKey('หนึ่งวัน', 'admin', { days: 1 })
  const line = [{ at: ago(1), amountSatang: 10 }]
  const endOf = async (id: string) =>
    (await it.as('admin').call(contract.listFeedKeys, {})).find(each => each.id === id)
  const setMaker = (change: string) => it.db.query({ text: `UPDATE account SET ${change} WHERE uid = 'admin2'` })
  await feed(line, theirs.key)
  for (const change of [`status = 'inactive'`, `status = 'active', role = 'manager'`]) {
    await setMaker(change)
    await expect(feed(line, theirs.key)).rejects.toMatchObject({ code: 'FEED_KEY_INVALID' })
    expect(await endOf(theirs.id)).toMatchObject({ end: 'maker', prefix: theirs.key.slice(0, 6) })
  }
  await setMaker(`role = 'admin'`)
  await feed(line, theirs.key)
  await feed(line, short.key)
  it.clock.advance(24 * 3600)
  await expect(feed(line, short.key)).rejects.toMatchObject({ code: 'FEED_KEY_INVALID' })
  expect(await endOf(short.id)).toMatchObject({ end: 'expired', createdByName: 'admin' })
})

test('a line says which key sent it, and the list asks for the lines of one key or file', async () => {
  const other = await makeKey('อีกเครื่อง')
  await feed([{ at: ago(60), amountSatang: 700 }])
  await feed([{ at: ago(50), amountSatang: 800 }], other.key)
  const manager = it.as('manager')
  const receivingAccountId = fixture.accounts.second
  const file = scbFile([{ at: ago(40), amountSatang: 900 }])
  const { fileId } = await manager.call(contract.readStatementFile, { params: { receivingAccountId }, file })
  const body = { mapping: null, remember: false }
  await manager.call(contract.importStatementFile, { params: { fileId }, body, idempotencyKey: onceKey() })
  const day = bangkokDay(it.clock.now)
  const list = (source?: string) =>
    manager.call(listStatementLines, { query: { receivingAccountId, from: day, to: day, source } })
  const amounts = async (source: string) => (await list(source)).rows.map(({ amountSatang }) => amountSatang)
  expect(await amounts(`feed:${other.id}`)).toEqual([800])
  expect(await amounts('feed')).toEqual([800, 700])
  expect(await amounts(`file:${fileId}`)).toEqual([900])
  const { rows, sources } = await list()
  const sourceOf = (amountSatang: number) => rows.find(row => row.amountSatang === amountSatang)?.source
  expect(sourceOf(900)).toMatchObject({ kind: 'file', id: fileId, byName: 'manager' })
  expect(sourceOf(800)).toEqual({ kind: 'feed', id: other.id, name: 'อีกเครื่อง', byName: null })
  expect(sources.map(({ kind, name }) => (kind === 'file' ? kind : name))).toEqual(['file', 'อีกเครื่อง', 'เครื่องร้าน'])
})

test('a key’s calls are limited', async () => {
  const codes = await Promise.all(
    Array.from({ length: 20 }, () =>
      feed([{ at: ago(1), amountSatang: 10 }]).then(
        () => 'OK',
        (error: { code: string }) => error.code,
      ),
    ),
  )
  expect(codes.filter(code => code === 'OK')).toHaveLength(15)
  expect(codes).toContain('RATE_LIMITED')
})

test.each([
  ['amountSatang', 1.5, 'ต้องเป็นจำนวนเต็ม'],
  ['amountSatang', '45.00', 'ต้องเป็นตัวเลข'],
  ['at', '20/11/2026', 'วันเวลาต้องเป็นแบบ ISO 8601'],
])('a line that can not be read is named, and so is its %s: %j', async (field, value, problem) => {
  const good = { at: ago(10).toISOString(), amountSatang: 500 }
  const reply = await it.request(contract.feedStatementLines.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-feed-key': key },
    body: JSON.stringify({ accountNo: '987-6-54321-0', lines: [good, { ...good, [field]: value }] }),
  })
  expect(reply.status).toBe(400)
  expect(await reply.json()).toMatchObject({ fields: { [`lines.1.${field}`]: problem } })
  expect(await linesNow(it)).toEqual([])
})
