import type { EndpointInput } from '@shop/shared/endpoint.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import { getOrderForStaff } from '@shop/shared/order/staff-endpoints.ts'
import * as contract from '@shop/shared/statement/endpoints.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { fixture } from './fixture.ts'
import { buyByBank } from './orders.ts'
import { addAccount, onceKey, type TestShop } from './shop.ts'
import { addLines, lineOf } from './statement.ts'

type Decision = EndpointInput<typeof contract.decideStatementLine>['body']

let buyers = 0

/** What tests of decisions about lines do: buyers order, money comes in, people decide. */
export function deskOf(it: () => TestShop) {
  async function order(change: Record<string, unknown> = {}) {
    const uid = `buyer-${++buyers}`
    await addAccount(it(), uid, 'customer')
    const placed = await buyByBank(it().as(uid), change)
    const [row] = await it().db.query<{ id: string }>({
      text: 'SELECT id FROM orders WHERE order_no = $1',
      values: [placed.orderNo],
    })
    return { ...placed, uid, id: row!.id, target: { kind: 'order' as const, id: row!.id } }
  }

  /** A line of money in, a minute from now; returns its id. */
  async function line(
    amountSatang: number,
    change: { accountId?: number; seconds?: number; detail?: string } = {},
  ): Promise<string> {
    const { accountId = fixture.accounts.promptPay, seconds = 60, detail = '' } = change
    const added = lineOf({ amountSatang, detail, at: addSeconds(it().clock.now, seconds) })
    await addLines(it(), [added], accountId)
    const [row] = await it().db.query<{ id: string }>({
      text: 'SELECT id FROM statement_line WHERE key = $1',
      values: [added.key],
    })
    return row!.id
  }

  const detailsOf = (id: string) => it().as('manager').call(contract.getStatementLine, { params: { id } })

  /** Decides about the line as it stands; `version` names another one. */
  async function decide(id: string, wanted: object, uid = 'manager', version?: number, idempotencyKey = onceKey()) {
    const body = { version: version ?? (await detailsOf(id)).line.version, ...wanted } as Decision
    return it().as(uid).call(contract.decideStatementLine, { params: { id }, body, idempotencyKey })
  }
  const seen = (orderNo: string) => it().as('staff').call(getOrderForStaff, { params: { orderNo } })
  const change = (orderNo: string, status: string, uid = 'manager') =>
    it()
      .as(uid)
      .codeOf(orders.updateOrderStatus, {
        body: { orderNo, status: status as never, reason: 'ตรวจแล้ว', deliveryReference: 'REF' },
      })

  /** What stands on an account of the ledger by the transactions about these. */
  async function booked(account: string, ...subjects: string[]): Promise<number> {
    const [row] = await it().db.query<{ sum: number }>({
      text: `SELECT coalesce(sum(e.amount_satang), 0)::bigint AS sum FROM ledger_entry e
        JOIN ledger_transaction t ON t.id = e.transaction_id WHERE e.account = $1 AND t.subject_id = ANY($2::uuid[])`,
      values: [account, subjects],
    })
    return row!.sum
  }

  return { order, line, detailsOf, decide, seen, change, booked }
}
