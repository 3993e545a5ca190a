import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { formatBaht } from '@shop/shared/money.ts'
import { confirmOrder, updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { decideStatementLine } from '@shop/shared/statement/endpoints.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buyByBank } from '../testing/orders.ts'
import { createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { checkLedger, describeReport } from './ledger-check.ts'

const run = promisify(execFile)
const ops = fileURLToPath(new URL('../start/ops.ts', import.meta.url))

let it: TestShop
let paid = ''
let refunded = ''
let refunding = ''
let topUp = ''
let walletId = ''

beforeAll(async () => {
  it = await createTestShop()
  walletId = await addWallet(it.db, { uid: 'agent', balanceSatang: 1_000_000, pin: '1234', now: it.clock.now })
  const body = { gameId: 1, packageId: 1, playerId: '1', termsVersion: '1', pin: '1234' }
  const buy = async () => (await it.as('agent').call(confirmOrder, { body, idempotencyKey: onceKey() })).orderNo
  paid = await buy()
  refunded = await buy()
  await it.as('manager').call(updateOrderStatus, { body: { orderNo: refunded, status: 'refunded', reason: 'ทดสอบ' } })
  refunding = (await buyByBank(it.as('customer'))).orderNo
  for (const status of ['paid', 'refunded'] as const)
    await it.as('admin').call(updateOrderStatus, { body: { orderNo: refunding, status, reason: 'ทดสอบ' } })
  const approve = async () => {
    const slipId = await addSlip(it, 'u:agent', `own ${randomUUID()}`)
    const { id, no } = await it
      .as('agent')
      .call(contract.saveTopUp, { body: { amountSatang: 100_000, slipId }, idempotencyKey: onceKey() })
    const decision = { id, version: 1, status: 'approve' as const }
    await it.as('manager').call(contract.decideTopUp, { body: decision, idempotencyKey: onceKey() })
    return { id, no }
  }
  topUp = (await approve()).no
  const wrong = await approve()
  await it
    .as('manager')
    .call(contract.correctTopUp, { body: { id: wrong.id, reason: 'ผิด' }, idempotencyKey: onceKey() })
  await decideLines()
})

/** Lines that paid too little, were put on a wallet, are owed back, and one taken back. */
async function decideLines() {
  const { orderNo, amountSatang } = await buyByBank(it.as('customer'))
  const [bought] = await it.db.query<{ id: string }>({
    text: 'SELECT id FROM orders WHERE order_no = $1',
    values: [orderNo],
  })
  const line = async (amount: number, decision: object) => {
    const added = lineOf({ amountSatang: amount, at: it.clock.now })
    await addLines(it, [added])
    const [{ id } = { id: '' }] = await it.db.query<{ id: string }>({
      text: 'SELECT id FROM statement_line WHERE key = $1',
      values: [added.key],
    })
    const decide = (version: number, wanted: object) =>
      it.as('manager').call(decideStatementLine, {
        params: { id },
        body: { version, reason: 'ตรวจแล้ว', ...wanted } as never,
        idempotencyKey: onceKey(),
      })
    await decide(1, decision)
    return () => decide(2, { step: 'undo' })
  }
  // Amounts differ by less than a baht: a line that is further off is nobody else's.
  await line(amountSatang - 150, { step: 'match', target: { kind: 'order', id: bought!.id } })
  await line(5_000, { step: 'creditWallet', walletId })
  await line(700, { step: 'oweRefund' })
  await (await line(300, { step: 'oweRefund' }))()
}
afterAll(() => it.db.close())

test('right books: every invariant holds, the command says so and ends with 0', async () => {
  const report = await checkLedger(it.db)
  expect(report).toMatchObject({ breaches: [], balancesSatang: 1_091_000 })
  expect(report.inSatang).toBe(report.outSatang + report.balancesSatang)
  const { stdout } = await run(process.execPath, [ops, 'ledger-check'], {
    env: { ...process.env, DATABASE_URL: it.databaseUrl },
  })
  expect(stdout).toContain(
    `in ${formatBaht(report.inSatang)}, out ${formatBaht(report.outSatang)}, on wallets and shop credit 10,910.00 baht`,
  )
  expect(stdout).not.toContain('BROKEN')
})

const DROP_BALANCE_CHECK = 'ALTER TABLE wallet DROP CONSTRAINT wallet_balance_not_negative;'
const order = (no: string) => `(SELECT id FROM orders WHERE order_no = '${no}')`

test.each([
  [
    'an entry was changed',
    () => `UPDATE ledger_entry SET amount_satang = amount_satang + 1 WHERE account = 'sales'`,
    'sum to zero',
  ],
  ['an entry was removed', () => `DELETE FROM ledger_entry WHERE account = 'sales'`, 'sum to zero'],
  ['a balance was changed', () => 'UPDATE wallet SET balance_satang = balance_satang + 1', 'add up to'],
  ['a wallet is negative', () => `${DROP_BALANCE_CHECK} UPDATE wallet SET balance_satang = -1`, 'below zero'],
  [
    'a paid order lost its posting',
    () => `DELETE FROM ledger_entry WHERE transaction_id IN (SELECT id FROM ledger_transaction
      WHERE subject_id = ${order(paid)}); DELETE FROM ledger_transaction WHERE subject_id = ${order(paid)}`,
    'paid order',
  ],
  [
    'a top-up through the gateway was approved by a person, without a charge',
    () => `UPDATE top_up SET payment = 'promptpay', expires_at = created_at, slip_id = NULL, receiving_account_id = NULL
      WHERE no = '${topUp}'`,
    'exactly when one paid charge brought its money',
  ],
  [
    'an order was marked refunded without the money',
    () => `UPDATE orders SET status = 'refunded' WHERE order_no = '${paid}'`,
    'paid order',
  ],
  [
    'an order is told as refunded although nothing was sent',
    () => `UPDATE orders SET status = 'refunded' WHERE order_no = '${refunding}'`,
    'waits for its refund',
  ],
  [
    'an order was posted with another price',
    () => `UPDATE orders SET price_satang = price_satang + 100 WHERE order_no = '${paid}'`,
    'paid order',
  ],
  [
    'a refunded order lives again',
    () => `UPDATE orders SET status = 'paid' WHERE order_no = '${refunded}'`,
    'paid order',
  ],
  [
    'an order paid from a foreign wallet',
    () => `UPDATE ledger_entry SET account = 'wallet:' || gen_random_uuid()
      WHERE account LIKE 'wallet:%' AND transaction_id IN (SELECT id FROM ledger_transaction WHERE subject_id = ${order(paid)})`,
    'paid order',
  ],
  [
    'a top-up approved without its posting',
    () => `UPDATE top_up SET status = 'approve', amount_satang = 100_001 WHERE no = '${topUp}'`,
    'top-up',
  ],
  ['money of a rejected top-up', () => `UPDATE top_up SET status = 'reject' WHERE no = '${topUp}'`, 'top-up'],
  [
    'a posting without a top-up',
    () => `UPDATE ledger_transaction SET subject_id = gen_random_uuid() WHERE kind = 'top_up'`,
    'top-up',
  ],
  ['a correction forgotten', () => `UPDATE top_up SET corrected_at = NULL`, 'top-up'],
  [
    'a reversal of another amount',
    () => `UPDATE ledger_entry SET amount_satang = amount_satang * 2
      WHERE transaction_id IN (SELECT id FROM ledger_transaction WHERE reverses_id IS NOT NULL)`,
    'exact opposite',
  ],
  [
    'a refund that names no sale',
    () => `UPDATE ledger_transaction SET reverses_id = NULL WHERE kind = 'order_refunded'`,
    'names the sale',
  ],
  [
    "a refund that names another order's sale",
    () => `UPDATE ledger_transaction SET reverses_id = (SELECT id FROM ledger_transaction WHERE subject_id = ${order(paid)})
      WHERE kind = 'order_refunded' AND subject_id = ${order(refunded)}`,
    'names the sale',
  ],
  [
    'a refund of another amount than was sold',
    () => `UPDATE ledger_entry SET amount_satang = amount_satang * 2
      WHERE transaction_id IN (SELECT id FROM ledger_transaction WHERE kind = 'order_refunded')`,
    'a refund of what was sold',
  ],
  [
    'a line decided without its money',
    () => `UPDATE statement_line SET state = 'owed' WHERE state = 'unmatched'`,
    'decided statement line',
  ],
  [
    'a line opened again while its money is booked',
    () => `UPDATE statement_line SET state = 'unmatched', wallet_id = NULL WHERE state = 'credited'`,
    'decided statement line',
  ],
  [
    'a line of another amount',
    () => 'UPDATE statement_line SET amount_satang = amount_satang + 1',
    'decided statement line',
  ],
  ['a line of another account', () => 'UPDATE statement_line SET receiving_account_id = 2', 'decided statement line'],
  [
    'a line that paid nothing',
    () => `UPDATE statement_line SET order_id = ${order(paid)} WHERE order_id IS NOT NULL`,
    'decided statement line',
  ],
  [
    'a line booked twice',
    () => `WITH copied AS (INSERT INTO ledger_transaction (id, kind, subject_id, at)
        SELECT gen_random_uuid(), kind, subject_id, at FROM ledger_transaction WHERE kind = 'line_booked' RETURNING id, at)
      INSERT INTO ledger_entry (transaction_id, line, account, amount_satang, at)
      SELECT id, 1, 'bank:1', -5000, at FROM copied UNION ALL SELECT id, 2, 'wallet:${walletId}', 5000, at FROM copied`,
    'decided statement line',
  ],
  [
    'money of a line that nobody knows',
    () => `UPDATE ledger_transaction SET subject_id = gen_random_uuid() WHERE kind = 'line_booked'`,
    'decided statement line',
  ],
  ['a refund owed that nothing was posted for', () => 'UPDATE owed_refund SET undone_at = NULL', 'owed back'],
  ['a refund forgotten', () => 'DELETE FROM owed_refund', 'owed back'],
  [
    'a refund sent without its posting',
    () =>
      `UPDATE owed_refund SET sent_at = now(), sent_by = 'x', sent_from_id = 1, reference = 'x' WHERE undone_at IS NULL`,
    'owed back',
  ],
  [
    'an order whose transfer is free again',
    () => `DELETE FROM used_transfer WHERE kind = 'order'`,
    'the transfer that brought it',
  ],
  [
    'a line that nothing is known to have',
    () => `UPDATE used_transfer SET line_id = NULL WHERE kind <> 'line'`,
    'the transfer that brought it',
  ],
  [
    'an entry of another moment',
    () => `UPDATE ledger_entry SET at = at + interval '1 day' WHERE account = 'sales'`,
    'own moment',
  ],
])('it names what breaks: %s', async (_, damage, name) => {
  const client = it.db
  const undo = new Error('undo')
  const report = client.transaction(async tx => {
    for (const text of damage().split(';')) await tx.query({ text })
    const found = await checkLedger({
      ...client,
      // The check's own transaction would not see the damage; it must not outlive this test either.
      transaction: work =>
        work({
          ...tx,
          query: statement => (`${statement.text}`.startsWith('SET ') ? Promise.resolve([]) : tx.query(statement)),
        }),
    })
    throw Object.assign(undo, { found })
  })
  const { found } = (await report.catch(error => error)) as { found: Awaited<ReturnType<typeof checkLedger>> }
  expect(found.breaches.map(breach => breach.invariant).join('\n')).toContain(name)
  expect(describeReport(found)).toContain('BROKEN')
})

test('broken books: the command names the wallet and ends with 1', async () => {
  await it.db.query({ text: 'UPDATE wallet SET balance_satang = balance_satang + 1' })
  const ended = run(process.execPath, [ops, 'ledger-check'], { env: { ...process.env, DATABASE_URL: it.databaseUrl } })
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`wallet ${walletId}: balance 1091001`),
  })
})
