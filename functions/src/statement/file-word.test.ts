import { getBacklog } from '@shop/shared/backlog/endpoints.ts'
import type { AppError } from '@shop/shared/errors.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { confirmMoney } from '@shop/shared/order/proof-endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import { decideStatementLine } from '@shop/shared/statement/endpoints.ts'
import * as contract from '@shop/shared/statement/import-endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertAudit } from '../audit/store.ts'
import { fixture } from '../testing/fixture.ts'
import { buyByBank } from '../testing/orders.ts'
import { addAccount, createTestShop, onceKey } from '../testing/shop.ts'
import { type FileMovement, linesNow, scbFile } from '../testing/statement.ts'
import { createSupplierShop, type SupplierShop } from '../testing/supplier.ts'
import { giveWord } from '../testing/words.ts'
import { matchLines } from './matching.ts'

const { second } = fixture.accounts
/** The two-person amount here, in satang: two orders are below it, three are not. */
const LIMIT = 40_000

let it: SupplierShop
let feedKey: string
beforeAll(async () => {
  it = await createSupplierShop({ SUPPLIER_TIMEOUT_MS: '5000' })
  for (const uid of ['manager2', 'manager3']) await addAccount(it, uid, 'manager')
  await addAccount(it, 'admin2', 'admin')
  await it.db.query({
    text: `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', $1)`,
    values: [String(LIMIT / 100)],
  })
  const body = { name: 'เครื่องร้าน', receivingAccountId: second }
  const make = () => it.as('admin').call(contract.createFeedKey, { body })
  feedKey = await make().then(
    made => made.key,
    async (error: AppError) => {
      await giveWord(it, 'admin2', error.details!.secondWordId as string)
      return (await make()).key
    },
  )
})
afterAll(() => it.stop())
// Sums are of a day, and amounts are few.
beforeEach(() => it.clock.advance(4 * 86_400))

const read = (movements: FileMovement[], uid = 'manager', opening?: number) =>
  it
    .as(uid)
    .call(contract.readStatementFile, { params: { receivingAccountId: second }, file: scbFile(movements, opening) })
const take = (fileId: string, uid = 'manager') =>
  it.as(uid).call(contract.importStatementFile, {
    params: { fileId },
    // Every test begins with another balance.
    body: { mapping: null, remember: false, acceptsGap: true },
    idempotencyKey: onceKey(),
  })
const waiting = (uid = 'manager2') => it.as(uid).call(contract.listWaitingFiles, {})
const confirm = (fileId: string, inSatang: number, uid = 'manager2') =>
  it.as(uid).codeOf(contract.confirmStatementFile, { params: { fileId }, body: { inSatang } })
const look = (orderNo: string, uid = 'manager2') => it.as(uid).call(getOrderForStaff, { params: { orderNo } })
const bought = () => it.supplier.register.booked.size
async function deliver(): Promise<void> {
  await it.drain()
  it.clock.advance(60)
  await it.drain()
}

let buyers = 0
/** Orders of new customers, each with the movement that would be its money. */
async function orders(count: number) {
  const made: { orderNo: string; movement: FileMovement }[] = []
  for (let n = 0; n < count; n++) {
    await addAccount(it, `puppet-${++buyers}`, 'customer')
    const { orderNo, amountSatang } = await buyByBank(it.as(`puppet-${buyers}`), { receivingAccountId: second })
    made.push({ orderNo, movement: { at: it.clock.now, amountSatang } })
  }
  return made
}
const sumOf = (made: { movement: FileMovement }[]) => made.reduce((sum, { movement }) => sum + movement.amountSatang, 0)

/** A file of movements that follow nothing known is matched by nobody: here each test's account begins anew. */
async function forgetLines() {
  await it.db.query({ text: 'TRUNCATE statement_line, statement_event CASCADE' })
}

/** Imports the money of so many new orders, and has it matched. */
async function pay(count: number, uid = 'manager') {
  await forgetLines()
  const made = await orders(count)
  const { fileId } = await read(
    made.map(({ movement }) => movement),
    uid,
  )
  const reply = await take(fileId, uid)
  await matchLines(it.shop)
  return { made, inSatang: sumOf(made), ...reply }
}

const moves = (subject: string) =>
  it.db.query<{ actor: string; second: string | null; amount: number; isAlone: boolean }>({
    text: `SELECT actor_uid AS actor, second_uid AS second, amount_satang AS amount, is_alone AS "isAlone"
      FROM value_move WHERE kind = 'fileGiven' AND subject = $1`,
    values: [`statementFile:${subject}`],
  })

describe('a file of more than one person speaks for', () => {
  test('pays its orders, and the supplier has them once somebody else confirmed it', async () => {
    const { made, fileId, inSatang, needsSecond } = await pay(3)
    const before = bought()
    expect(needsSecond).toBe(true)
    await deliver()
    for (const { orderNo } of made)
      expect(await look(orderNo)).toMatchObject({
        status: 'paid',
        delivery: null,
        hold: { file: { id: fileId }, heldByName: 'manager', whyNot: null },
      })
    expect(await moves(fileId)).toEqual([])
    expect(await waiting()).toMatchObject([{ id: fileId, inSatang, lines: 3, orders: 3, whyNot: null }])
    expect((await it.as('manager2').call(getBacklog, {})).waiting.waitingFiles).toMatchObject({ count: 1 })

    expect(await confirm(fileId, inSatang, 'manager')).toBe('SECOND_WORD_NOT_YOURS')
    expect(await confirm(fileId, inSatang, 'staff')).toBe('FORBIDDEN')
    expect(await confirm(fileId, inSatang)).toBe('OK')
    expect(await confirm(fileId, inSatang, 'manager3')).toBe('OK')
    expect(await moves(fileId)).toEqual([{ actor: 'manager', second: 'manager2', amount: inSatang, isAlone: false }])
    await deliver()
    for (const { orderNo } of made) expect(await look(orderNo)).toMatchObject({ status: 'success', hold: null })
    expect(bought()).toBe(before + 3)
    expect(await waiting()).toEqual([])
  })

  test('waits for nobody who could be its giver as well', async () => {
    const { fileId, inSatang } = await pay(3)
    const given = { action: 'account.resetPassword', subject: 'account:manager2', before: null, after: null } as const
    await insertAudit(it.db, { ...given, actorUid: 'manager', actorRole: 'manager', at: it.clock.now })
    expect((await waiting())[0]!.whyNot).toContain('เพิ่งตั้งรหัสผ่าน')
    expect(await confirm(fileId, inSatang)).toBe('SECOND_WORD_NOT_YOURS')
    expect(await confirm(fileId, inSatang, 'manager3')).toBe('OK')
  })

  test('is weighed with all that its giver moved on that day: small ones are no way round', async () => {
    const [first, then] = [await pay(2), await pay(1)]
    expect([first.needsSecond, then.needsSecond]).toEqual([false, true])
    expect(await moves(first.fileId)).toMatchObject([{ actor: 'manager', amount: first.inSatang }])
    await deliver()
    expect(await look(then.made[0]!.orderNo)).toMatchObject({ status: 'paid', hold: { file: { id: then.fileId } } })
    const other = await pay(2, 'manager2')
    expect(other.needsSecond).toBe(false)
  })

  test('that has grown since somebody looked is looked at again, and so is one that grew after its word', async () => {
    const { fileId, inSatang } = await pay(3)
    const [more] = await orders(1)
    // What the same file tells of when its columns are read otherwise.
    await it.db.query({
      text: `INSERT INTO statement_line (id, receiving_account_id, key, day, amount_satang, detail, file_id, created_at, state, version)
        VALUES (gen_random_uuid(), $1, 'more', '2026-11-20', $2, '', $3, $4, 'unmatched', 1)`,
      values: [second, more!.movement.amountSatang, fileId, it.clock.now],
    })
    expect(await confirm(fileId, inSatang)).toBe('CONFLICT')
    expect(await confirm(fileId, inSatang + more!.movement.amountSatang)).toBe('OK')
    await forgetLines()
    expect((await take(fileId)).needsSecond).toBe(true)
  })
})

describe('ways round it', () => {
  test('its line undone and matched by hand, by its giver or another', async () => {
    const { made, fileId } = await pay(3)
    const { orderNo } = made[0]!
    const { statementLine } = await look(orderNo)
    const { id } = statementLine!
    const [row] = await it.db.query<{ orderId: string }>({
      text: 'SELECT order_id AS "orderId" FROM statement_line WHERE id = $1',
      values: [id],
    })
    const decide = (uid: string, version: number, body: object) =>
      it.as(uid).codeOf(decideStatementLine, {
        params: { id },
        idempotencyKey: onceKey(),
        body: { ...body, version, reason: 'ตรวจแล้ว' } as never,
      })
    expect(await decide('manager3', 2, { step: 'undo' })).toBe('OK')
    const match = { step: 'match', target: { kind: 'order', id: row!.orderId } }
    expect(await decide('manager3', 3, match)).toBe('OK')
    await deliver()
    expect(await look(orderNo)).toMatchObject({ status: 'paid', hold: { file: { id: fileId } } })
    expect((await look(orderNo, 'manager')).hold!.whyNot).not.toBeNull()
  })

  test('an order marked paid by hand first, which the giver’s file then shows', async () => {
    await forgetLines()
    const made = await orders(3)
    const { orderNo } = made[0]!
    await it.as('staff').call(updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงินเข้า' } })
    const { fileId } = await read(made.map(({ movement }) => movement))
    expect((await take(fileId)).needsSecond).toBe(true)
    await matchLines(it.shop)
    await deliver()
    expect(await look(orderNo)).toMatchObject({ status: 'paid', delivery: null })
  })
})

test('a file that waits keeps no single order: a second person confirms its money alone', async () => {
  const { made } = await pay(3)
  const { orderNo } = made[0]!
  expect(await it.as('manager').codeOf(confirmMoney, { body: { orderNo } })).toBe('SECOND_PERSON_NEEDED')
  expect(await it.as('staff').codeOf(confirmMoney, { body: { orderNo } })).toBe('OK')
  await deliver()
  expect((await look(orderNo)).status).toBe('success')
})

test('a line that the feed tells of too speaks for itself', async () => {
  const { made } = await pay(3)
  const [told, other] = [made[0]!, made[1]!]
  await deliver()
  const lines = [{ at: told.movement.at.toISOString(), amountSatang: told.movement.amountSatang }]
  const fed = await it
    .as(null, { 'x-feed-key': feedKey })
    .call(contract.feedStatementLines, { body: { accountNo: '987-6-54321-0', lines } })
  expect(fed).toMatchObject({ imported: 0, known: 1 })
  await deliver()
  expect((await look(told.orderNo)).status).toBe('success')
  expect((await look(other.orderNo)).status).toBe('paid')
})

test('an order whose delivery is asked for while its file is being confirmed is not forgotten', async () => {
  const { made, fileId } = await pay(3)
  const { orderNo } = made[0]!
  let drained: Promise<void> | undefined
  await it.db.transaction(async tx => {
    await tx.query({
      text: `UPDATE statement_file SET confirmed_by = 'manager2', confirmed_at = $2 WHERE id = $1`,
      values: [fileId, it.clock.now],
    })
    drained = it.drain()
    // The job waits for who confirms; were it not to, it would end here.
    await Promise.race([drained, jobWaits()])
  })
  await drained
  await deliver()
  expect((await look(orderNo)).status).toBe('success')
})

async function jobWaits(): Promise<void> {
  for (;;) {
    const rows = await it.db.query({ text: 'SELECT FROM pg_locks WHERE NOT granted LIMIT 1' })
    if (rows.length > 0) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

test('the only admin of a shop without managers speaks for any file alone', async () => {
  const lone = await createSupplierShop()
  await lone.db.query({ text: `UPDATE account SET role = 'customer' WHERE role = 'manager'` })
  await lone.db.query({ text: `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', '0')` })
  const movement = { at: addSeconds(lone.clock.now, -60), amountSatang: 500_000 }
  const admin = lone.as('admin')
  const { fileId } = await admin.call(contract.readStatementFile, {
    params: { receivingAccountId: second },
    file: scbFile([movement]),
  })
  const body = { mapping: null, remember: false }
  const taken = await admin.call(contract.importStatementFile, { params: { fileId }, body, idempotencyKey: onceKey() })
  expect(taken.needsSecond).toBe(false)
  const [move] = await lone.db.query({ text: `SELECT kind, is_alone AS "isAlone" FROM value_move` })
  expect(move).toEqual({ kind: 'fileGiven', isAlone: true })
  await lone.stop()
})

test('where no supplier delivers, a file counts to nobody’s day', async () => {
  const plain = await createTestShop()
  const movement = { at: addSeconds(plain.clock.now, -60), amountSatang: 9_000_000 }
  const manager = plain.as('manager')
  const { fileId } = await manager.call(contract.readStatementFile, {
    params: { receivingAccountId: second },
    file: scbFile([movement]),
  })
  const body = { mapping: null, remember: false }
  const taken = await manager.call(contract.importStatementFile, {
    params: { fileId },
    body,
    idempotencyKey: onceKey(),
  })
  expect(taken).toMatchObject({ imported: 1, needsSecond: false })
  expect(await linesNow(plain)).toHaveLength(1)
  expect(await plain.db.query({ text: 'SELECT FROM value_move' })).toEqual([])
  await plain.db.close()
})
