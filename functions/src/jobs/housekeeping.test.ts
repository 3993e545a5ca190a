import { saveBanner } from '@shop/shared/catalogue/manage-endpoints.ts'
import { uploadBanner } from '@shop/shared/catalogue/picture-endpoints.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buyByBank, holdByBank, report } from '../testing/orders.ts'
import { createTestShop, onceKey, type TestCaller, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addWallet } from '../testing/wallet.ts'
import { sweep } from './housekeeping.ts'

const DAY = 24 * 3600
const NOTHING = {
  voucher_draft: 0,
  owner_code: 0,
  totp_session: 0,
  supplier_product_change: 0,
  totp_browser: 0,
  totp_try: 0,
  rate_limit: 0,
  idempotency_key: 0,
  slip: 0,
  picture: 0,
  statement_file: 0,
  used_id_token: 0,
  sign_in_attempt: 0,
  reserved_amount: 0,
  terms_acceptance: 0,
  outbox: 0,
  slip_check: 0,
  slip_ask: 0,
  supplier_balance: 0,
  chat_message: 0,
  voucher_address: 0,
  chat_code: 0,
  second_word: 0,
  mail_message: 0,
  owner_news: 0,
  supplier_callback: 0,
  statement_line: 0,
  webhook_endpoint: 0,
  webhook_message: 0,
  play_order: 0,
  reseller_call: 0,
}

let it: TestShop
let picture: Blob
beforeAll(async () => {
  it = await createTestShop()
  await addWallet(it.db, { uid: 'agent', balanceSatang: 0, pin: null, now: it.clock.now })
  const png = sharp({ create: { width: 8, height: 8, channels: 3, background: '#e8f6ee' } }).png()
  picture = new Blob([new Uint8Array(await png.toBuffer())])
})
afterAll(() => it.db.close())
/** Each test begins with a swept house. */
beforeEach(async () => {
  it.clock.advance(100 * DAY)
  await sweep(it.shop)
})

const insert = (text: string, ...values: unknown[]) => it.db.query({ text, values })
const ago = (seconds: number) => new Date(it.clock.now.getTime() - seconds * 1000)
const rows = async (text: string) => (await it.db.query<Record<string, string>>({ text })).flatMap(Object.values)
const upload = (caller: TestCaller) => caller.call(uploadSlip, { file: picture, idempotencyKey: onceKey() })

test('kept answers go after seven days', async () => {
  const keep = (key: string, at: Date) =>
    insert(
      `INSERT INTO idempotency_key (scope, key, request_hash, reply, created_at) VALUES ('u:x', $1, 'h', '{}', $2)`,
      key,
      at,
    )
  await keep('old', ago(7 * DAY + 1))
  await keep('young', ago(7 * DAY))
  expect(await sweep(it.shop)).toEqual({ ...NOTHING, idempotency_key: 1 })
  expect(await rows(`SELECT key FROM idempotency_key WHERE scope = 'u:x'`)).toEqual(['young'])
})

test('a picture that was never saved goes after thirty days, with its file; one that ever was stays', async () => {
  const admin = it.as('admin')
  // Files are as old as the machine says.
  it.clock.now = new Date()
  const uploaded = async () => (await admin.call(uploadBanner, { file: picture })).url
  const [unused, shown, replaced] = [await uploaded(), await uploaded(), await uploaded()]
  const banner = await admin.call(saveBanner, { body: { picture: replaced, description: '', isActive: true } })
  await admin.call(saveBanner, { body: { ...banner, picture: shown } })
  const statuses = () => Promise.all([unused, shown, replaced].map(async url => (await it.request(url)).status))
  it.clock.advance(30 * DAY - 60)
  expect((await sweep(it.shop)).picture).toBe(0)
  expect(await statuses()).toEqual([200, 200, 200])
  it.clock.advance(120)
  expect((await sweep(it.shop)).picture).toBe(1)
  expect(await statuses()).toEqual([404, 200, 200])
  // Whoever kept the form open for so long is told; nothing is saved that could not be shown.
  expect(await admin.codeOf(saveBanner, { body: { picture: unused, description: '', isActive: true } })).toBe(
    'PICTURE_NOT_FOUND',
  )
  expect((await sweep(it.shop)).picture).toBe(0)
})

test('a slip that nothing uses goes after two days with its picture; one that was ever used stays', async () => {
  const agent = () => it.as('agent')
  const [unused, used, released] = [await upload(agent()), await upload(it.as('customer')), await upload(agent())]
  const order = await buyByBank(it.as('customer'))
  await report(it.as('customer'), order.orderNo, used.id)
  const body = { amountSatang: 100_000, slipId: released.id }
  await agent().call(saveTopUp, { body, idempotencyKey: onceKey() })
  await insert('UPDATE slip SET used_for = NULL WHERE id = $1', released.id)
  it.clock.advance(2 * DAY)
  expect((await sweep(it.shop)).slip).toBe(0)
  it.clock.advance(1)
  expect((await sweep(it.shop)).slip).toBe(1)
  const look = async (id: string) =>
    (await it.request(`/romons.payment/api/wallet/slip/${id}`, { headers: it.as('staff').headers })).status
  expect([await look(unused.id), await look(used.id), await look(released.id)]).toEqual([404, 200, 200])
  expect(await it.shop.files.read(`slips/${unused.id}.jpg`)).toBeNull()
})

test('files of statements go after thirty days; of those taken in the row tells where lines are from', async () => {
  const keep = async (id: string, days: number, importedAt: Date | null) => {
    await it.shop.files.write(`statements/${id}`, Buffer.from('x'), 'text/csv')
    await insert(
      `INSERT INTO statement_file (id, receiving_account_id, file_name, file_key, given_by, created_at, imported_at)
        VALUES ($1::uuid, 1, 'a.csv', 'statements/' || $1::uuid, 'manager', $2, $3)`,
      id,
      ago(days * DAY),
      importedAt,
    )
  }
  const ids = [1, 2, 3].map(n => `018f0000-0000-7000-8000-00000000000${n}`) as [string, string, string]
  await keep(ids[0], 31, null)
  await keep(ids[1], 31, ago(31 * DAY))
  await keep(ids[2], 30, null)
  expect(await sweep(it.shop)).toEqual({ ...NOTHING, statement_file: 2 })
  expect(await rows('SELECT id, file_key FROM statement_file ORDER BY id')).toEqual([
    ids[1],
    null,
    ids[2],
    `statements/${ids[2]}`,
  ])
  const kept = await Promise.all(ids.map(id => it.shop.files.read(`statements/${id}`)))
  expect(kept.map(file => file !== null)).toEqual([false, false, true])
})

test('spent tokens and sign-ins nobody came back from go when their time is over', async () => {
  for (const [name, at] of [
    ['over', ago(0)],
    ['open', ago(-1)],
  ] as const) {
    await insert('INSERT INTO used_id_token (token_hash, expires_at) VALUES ($1, $2)', name, at)
    await insert(
      `INSERT INTO sign_in_attempt (state_hash, browser_hash, nonce, code_verifier, expires_at) VALUES ($1, '', '', '', $2)`,
      name,
      at,
    )
  }
  expect(await sweep(it.shop)).toEqual({ ...NOTHING, used_id_token: 1, sign_in_attempt: 1 })
  expect(await rows('SELECT token_hash FROM used_id_token')).toEqual(['open'])
  expect(await rows('SELECT state_hash FROM sign_in_attempt')).toEqual(['open'])
})

test('amounts that are free again go, those of orders and live holds stay', async () => {
  // On another account, where none of those that follow draws the same amount.
  await holdByBank(it.as(null), undefined, 2)
  it.clock.advance(300)
  const live = await holdByBank(it.as('a1'))
  await buyByBank(it.as('a2'))
  expect(await sweep(it.shop)).toEqual({ ...NOTHING, reserved_amount: 1 })
  expect(await rows('SELECT id FROM reserved_amount WHERE order_id IS NULL')).toEqual([live.id])
})

test('acceptances go of versions that never were, under an address, and of guests after thirty days', async () => {
  await insert('DELETE FROM terms_acceptance')
  const accept = (owner: string, version: string, at: Date) =>
    insert('INSERT INTO terms_acceptance (owner_key, version, accepted_at) VALUES ($1, $2, $3)', owner, version, at)
  await accept('u:old', '1', ago(1000 * DAY))
  await accept('u:x', 'nonsense-v999', ago(0))
  await accept('a:10.0.0.9', '1', ago(0))
  await accept('g:old', '1', ago(30 * DAY + 1))
  await accept('g:young', '1', ago(30 * DAY))
  expect(await sweep(it.shop)).toEqual({ ...NOTHING, terms_acceptance: 3 })
  expect(await rows('SELECT owner_key FROM terms_acceptance ORDER BY 1')).toEqual(['g:young', 'u:old'])
})

test('two at once and one after another take everything once; what fails is told, and the rest is swept all the same', async () => {
  await insert(`INSERT INTO used_id_token (token_hash, expires_at) VALUES ('x', $1)`, ago(1))
  const both = await Promise.all([sweep(it.shop), sweep(it.shop)])
  expect(both.map(report => report.used_id_token).sort()).toEqual([0, 1])
  expect(await sweep(it.shop)).toEqual(NOTHING)
  await upload(it.as('agent'))
  it.clock.advance(31 * DAY)
  await insert(`INSERT INTO used_id_token (token_hash, expires_at) VALUES ('y', $1)`, ago(1))
  const remove = () => Promise.reject(new Error('the bucket is away'))
  const failing = sweep({ ...it.shop, files: { ...it.shop.files, remove } })
  await expect(failing).rejects.toMatchObject({ errors: [expect.objectContaining({ message: 'the bucket is away' })] })
  expect(await rows('SELECT token_hash FROM used_id_token')).not.toContain('y')
})

test('messages in LINE go after ninety days, codes for chats with their time', async () => {
  const message = (key: string, settledAt: Date | null) =>
    insert(
      `INSERT INTO chat_message (id, retry_key, kind, recipient, messages, cost, state, created_at, settled_at)
        VALUES (gen_random_uuid(), gen_random_uuid(), $1, 'U1', '[]', 1, 'sent', $3, $2)`,
      key,
      settledAt,
      ago(200 * DAY),
    )
  await message('old', ago(90 * DAY + 1))
  await message('young', ago(90 * DAY))
  await message('not settled', null)
  const code = (hash: string, at: Date) =>
    insert(`INSERT INTO chat_code (code_hash, purpose, uid, expires_at) VALUES ($1, 'staff', 'staff', $2)`, hash, at)
  await code('over', ago(0))
  await code('open', ago(-1))
  expect(await sweep(it.shop)).toEqual({ ...NOTHING, chat_message: 1, chat_code: 1 })
  expect(await rows('SELECT kind FROM chat_message ORDER BY 1')).toEqual(['not settled', 'young'])
  expect(await rows('SELECT code_hash FROM chat_code')).toEqual(['open'])
})

test('who paid goes from a bank line five years after the end of its year; the line and its amount stay', async () => {
  const year = it.clock.now.getUTCFullYear()
  const add = (key: string, day: string) =>
    addLines(it, [lineOf({ key, day, amountSatang: 100, detail: 'นาย ทดสอบ', fromBank: '004', fromAccount: 'x1234' })])
  await add('old', `${year - 6}-12-31`)
  await add('young', `${year - 5}-01-01`)
  expect(await sweep(it.shop)).toEqual({ ...NOTHING, statement_line: 1 })
  const lines = `SELECT key || ':' || detail || ':' || coalesce(from_account, '') || ':' || amount_satang FROM statement_line ORDER BY key`
  expect(await rows(lines)).toEqual(['old:::100', 'young:นาย ทดสอบ:x1234:100'])
})
