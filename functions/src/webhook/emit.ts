import type { Order, OrderEvent } from '@shop/shared/order/order.ts'
import { type ApiStatus, apiStatusOf, ENTRY_KIND, type KeyMode } from '@shop/shared/reseller/reseller.ts'
import type { LedgerTransaction } from '@shop/shared/wallet/ledger.ts'
import type { WebhookEvent } from '@shop/shared/webhook/webhook.ts'
import { account } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { type Expr, pick, row, sql, under } from '../database/sql.ts'
import { currentRequestId } from '../http/request-id.ts'
import { outbox } from '../outbox/tables.ts'
import { resellerOrder } from '../reseller/tables.ts'
import { webhookEndpoint, webhookMessage } from './tables.ts'

/** Messages are stored by the statement of the change that they tell, with the jobs that send them. */

const [e, a, r] = [under(webhookEndpoint, 'e'), under(account, 'a'), under(resellerOrder, 'r')]
/** Where names stand alone: what is stored, and what of it the jobs are made of. */
const [messages, jobs] = [under(webhookMessage), under(outbox)]

/** A text of JSON in the given order; a field that is null is left out. @param fields SQL of each */
const jsonText = (fields: Record<string, string>): string =>
  `('{' || concat_ws(',', ${Object.entries(fields).map(([name, sql]) => `'"${name}":' || ${sql}`)}) || '}')`

const jsonOf = (value: string | Expr<unknown>) => `to_json(${value})::text`

/** What is signed and sent. The moment is rounded as columns round it. @param data SQL of a text of JSON */
const bodySql = (type: string, at: string, data: string): string =>
  jsonText({
    type: jsonOf(type),
    timestamp: `to_json(to_char(${at}::timestamptz(3) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`,
    data,
  })

/**
 * The endpoints `e` of an agent that are told; an account that is closed, or no agent's any more, is told nothing. Nobody removes one before what is stored for it is, and nobody who sends
 * or switches one waits for that.
 */
const endpointsSql = (uid: string | Expr<string>, mode: string, type: string): string =>
  `JOIN ${e} ON ${e.uid} = ${uid} AND ${e.mode} = ${mode} AND ${e.isOn}
    AND (${e.events} IS NULL OR ${type} = ANY(${e.events}) OR ${type} = 'endpoint.test')
    AND EXISTS (SELECT FROM ${a} WHERE ${a.uid} = ${e.uid} AND ${a.role} = 'agent' AND ${a.status} <> 'inactive')`
const KEPT = 'FOR KEY SHARE OF e'

/** CTEs that store a message and its job for each row (endpoint_id, type, body, at) of the CTE `told`. */
const storingCtes = (told: string, requestId: string): string => `
  webhook_put AS (INSERT INTO ${messages} (${messages.id}, ${messages.endpointId}, ${messages.type}, ${messages.body},
      ${messages.createdAt}, ${messages.nextAt})
    SELECT gen_random_uuid(), endpoint_id, type, body, at, at FROM ${told} RETURNING ${messages.id}, ${messages.createdAt}),
  webhook_job AS (INSERT INTO ${jobs} (${jobs.id}, ${jobs.kind}, ${jobs.key}, ${jobs.payload}, ${jobs.dueAt}, ${jobs.createdAt},
      ${jobs.requestId})
    SELECT gen_random_uuid(), 'webhook.send', ${messages.id}::text, jsonb_build_object('messageId', ${messages.id}),
      ${messages.createdAt}, ${messages.createdAt}, ${requestId}::text
    FROM webhook_put)`

/** States that are news to whoever placed the order. It was told that it waits by the answer to the order. */
const TOLD_STATUSES = ['processing', 'on_hold', 'completed', 'failed', 'canceled'] as const satisfies ApiStatus[]
type ToldStatus = (typeof TOLD_STATUSES)[number]

export const isToldStatus = (status: ApiStatus): status is ToldStatus =>
  (TOLD_STATUSES as readonly ApiStatus[]).includes(status)

/** Returns the state of the API that an order has come to, if that is news; whether its caller canceled it, the database knows. */
export function toldStatusOf({ order, event }: { order: Pick<Order, 'status'>; event: Pick<OrderEvent, 'from'> }) {
  const status = apiStatusOf(order.status, false)
  const isSame = event.from !== null && apiStatusOf(event.from, false) === status
  return isSame || !isToldStatus(status) ? null : status
}

/** Placeholders of what is told of an order. `status` is null for nothing. */
interface ToldOrder {
  orderNo: string
  status: string
  at: string
  requestId: string
}

/** CTEs that tell what became of an order that a key placed. @param saved the row (id) of the order that was stored */
export function orderCtes(saved: string, { orderNo, status, at, requestId }: ToldOrder): string {
  const is = `CASE WHEN ${status}::text = 'failed' AND ${r.canceledAt} IS NOT NULL THEN 'canceled' ELSE ${status}::text END`
  const data = jsonText({
    id: jsonOf(`${orderNo}::text`),
    ref: jsonOf(r.ref),
    status: jsonOf(is),
    quantity: jsonOf(r.quantity),
  })
  const type = `'order.' || ${is}`
  return `webhook_told AS (
    SELECT ${e.id} AS endpoint_id, ${type} AS type, ${bodySql(type, at, data)} AS body, ${at}::timestamptz AS at
    FROM ${saved} JOIN ${r} ON ${r.orderId} = ${saved}.id ${endpointsSql(r.uid, `'live'`, type)}
    WHERE ${status}::text IS NOT NULL ${KEPT}
  ), ${storingCtes('webhook_told', requestId)}`
}

/** What the owner of a wallet is told that a transaction is; null for nothing. An order is told of by itself. */
export function toldKindOf(kind: LedgerTransaction['kind']) {
  const told = ENTRY_KIND[kind]
  return told === 'order' ? null : told
}

/** Placeholders of what is told of a transaction. `kind` is null for nothing. */
interface ToldEntry {
  id: string
  kind: string
  requestId: string
}

/**
 * CTEs that tell the owners of wallets what moved on them.
 * @param moved the rows (uid, amount, balance) of the wallets @param moment the row (at) of when
 */
export function walletCtes(moved: string, moment: string, { id, kind, requestId }: ToldEntry): string {
  const type = `CASE WHEN m.amount > 0 THEN 'wallet.credited' ELSE 'wallet.debited' END`
  const data = jsonText({
    entryId: jsonOf(`${id}::text`),
    kind: jsonOf(`${kind}::text`),
    amount: jsonOf('m.amount::bigint'),
    balance: jsonOf('m.balance'),
  })
  return `webhook_told AS (
    SELECT ${e.id} AS endpoint_id, ${type} AS type, ${bodySql(type, 't.at', data)} AS body, t.at
    FROM ${moment} t, ${moved} m ${endpointsSql('m.uid', `'live'`, type)}
    WHERE ${kind}::text IS NOT NULL AND m.amount <> 0 ${KEPT}
  ), ${storingCtes('webhook_told', requestId)}`
}

interface Told {
  uid: string
  mode: KeyMode
  type: WebhookEvent
  data: object
  now: Date
  /** The only one to be told; without it all that are on. */
  endpointId?: string
}

/**
 * Stores what no order and no wallet of the shop tells: orders of test keys, and tests of an endpoint. Call it in the
 * transaction of what happened. @returns the ids of the messages
 */
export async function emitTest(tx: Sql, { uid, mode, type, data, now, endpointId }: Told): Promise<string[]> {
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data })
  const rows = await tx.query({
    text: sql`WITH webhook_told AS (
        SELECT ${e.id} AS endpoint_id, $3::text AS type, $4::text AS body, $5::timestamptz AS at
        FROM (VALUES (1)) AS once ${endpointsSql('$1', '$2', '$3::text')} AND ($6::uuid IS NULL OR ${e.id} = $6) ${KEPT}
      ), ${storingCtes('webhook_told', '$7')} SELECT ${row(pick(messages, 'id'))} FROM webhook_put`,
    values: [uid, mode, type, body, now, endpointId ?? null, currentRequestId()],
  })
  return rows.map(({ id }) => id)
}
