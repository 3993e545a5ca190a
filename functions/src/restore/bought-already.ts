import type { Delivers, Source } from '@shop/shared/catalogue/delivers.ts'
import { beginDelivery } from '@shop/shared/order/delivery.ts'
import type { OrderStatus } from '@shop/shared/order/status.ts'
import { GOODS_STATES, OPEN_STATES, type StatusAnswer } from '@shop/shared/supplier/supplier.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { gamePackage } from '../catalogue/tables.ts'
import type { Database, Sql } from '../database/database.ts'
import { as, pick, row, sql, under } from '../database/sql.ts'
import { lockOrder, saveOutcome } from '../order/store.ts'
import { orders } from '../order/tables.ts'
import { enqueue } from '../outbox/outbox.ts'
import type { Supplier, Told } from '../supplier/provider.ts'
import * as store from '../supplier/store.ts'
import { supplierAttempt } from '../supplier/tables.ts'

const [o, p] = [under(orders, 'o'), under(gamePackage, 'p')]
const [a, bought] = [under(supplierAttempt, 'a'), under(supplierAttempt)]

/** An order that expired longer ago than this before the moment of the restore was not paid and bought after it. */
const EXPIRED_SECONDS = 86_400
/** A purchase that was refused leaves no trace at the supplier, so the ones after it are asked for as well. */
const ASKED_PER_ORDER = 3

interface Candidate {
  id: string
  orderNo: string
  status: OrderStatus
  quantity: number
  /** How many purchases the books know. */
  attempts: number
  delivers: Delivers
  sources: readonly Source[]
}

interface FoundPurchase {
  orderNo: string
  status: OrderStatus
  reference: string
}

export interface BoughtAlready {
  /** How many orders the supplier was asked about. */
  asked: number
  /** What it had and the books had lost, also of earlier runs. */
  found: FoundPurchase[]
  /** Orders about which it gave no answer. */
  unanswered: string[]
}

interface Lost {
  lostFrom: Date
  /** When it was noticed: from then on nothing was bought. */
  upTo: Date
}

/** Found purchases are written down as sent at the moment itself, because nobody knows it better. */
const findFound = (db: Sql, lostFrom: Date): Promise<FoundPurchase[]> =>
  db.query({
    text: sql`SELECT ${row({ ...pick(o, 'orderNo', 'status'), ...pick(a, 'reference') })}
      FROM ${a} JOIN ${o} ON ${o.id} = ${a.orderId}
      WHERE ${a.sentAt} = $1 ORDER BY ${a.id}`,
    values: [lostFrom],
  })

/**
 * Orders for which something may have been bought in the lost time. The moment may be a little early, so all that were
 * placed before the restore was noticed are asked for.
 */
const findCandidates = (db: Sql, { lostFrom, upTo }: Lost): Promise<Candidate[]> =>
  db.query({
    text: sql`SELECT ${row<Candidate>({
      ...pick(o, 'id', 'orderNo', 'status', 'quantity'),
      ...pick(p, 'delivers', 'sources'),
      attempts: as.int(`(SELECT count(*) FROM ${a} WHERE ${a.orderId} = ${o.id})`),
    })}
      FROM ${o} JOIN ${p} ON ${p.id} = ${o.packageId} WHERE ${o.createdAt} <= $1
        AND (${o.status} IN ('waiting_payment', 'paid', 'processing') OR (${o.status} = 'expired' AND ${o.createdAt} > $2))
        AND NOT EXISTS (SELECT FROM ${a} WHERE ${a.orderId} = ${o.id} AND ${a.state} = ANY($3))
      ORDER BY ${o.id}`,
    values: [upTo, addSeconds(lostFrom, -EXPIRED_SECONDS), [...OPEN_STATES, ...GOODS_STATES]],
  })

const isOver = (kind: StatusAnswer['kind']) => kind === 'failed' || kind === 'refunded'

/**
 * Writes down a purchase that the supplier has and the books lost. If it may have brought goods, it stands where any
 * open purchase stands, so nothing can be bought beside it: a paid order is the shop's own work again, and an order that
 * waits for its money finds it there once it is paid.
 */
async function writeDown(
  tx: Sql,
  supplier: Supplier,
  { id, attempts }: Candidate,
  { reference, told, sentAt, now }: { reference: string; told: Told<StatusAnswer>; sentAt: Date; now: Date },
): Promise<void> {
  const locked = await lockOrder(tx, { id })
  const known = await store.findAttempts(tx, id)
  // Another run of the same command was faster.
  if (!locked || known.length !== attempts) return
  const { order, snapshot } = locked
  const sold = await store.findDelivery(tx, order.packageId)
  const place = Math.max(0, sold?.sources.findIndex(({ supplier: name }) => name === supplier.name) ?? 0)
  const source = sold?.sources[place]
  const failed = isOver(told.answer.kind)
  const isStaffs = order.status === 'processing' && order.claimedBy !== null
  const attempt = await store.insertAttempt(tx, {
    orderId: id,
    supplier: supplier.name,
    reference,
    place,
    sku: source?.sku ?? '-',
    delivers: sold?.delivers ?? 'top_up',
    quantity: order.quantity,
    fields: snapshot.fields.map(({ value }) => value),
    maxCostSatang: source?.costSatang ?? sold?.costSatang ?? 0,
    sentAt,
  })
  const { theirId, costSatang, message } = told
  await tx.query({
    text: sql`UPDATE ${bought} SET ${bought.state} = $2, ${bought.theirId} = $3, ${bought.costSatang} = $4,
        ${bought.isWithStaff} = $5, ${bought.reason} = $6,
        ${bought.settledAt} = CASE WHEN $2 = 'accepted' THEN NULL ELSE $7::timestamptz END
      WHERE ${bought.id} = $1`,
    values: [
      attempt.id,
      failed ? told.answer.kind : 'accepted',
      theirId,
      costSatang,
      isStaffs,
      failed ? message : null,
      now,
    ],
  })
  await store.insertAnswer(tx, attempt.id, 'status', told, { tookMs: 0, at: now })
  if (failed || order.status === 'waiting_payment' || order.status === 'expired') return
  if (order.status === 'paid') await saveOutcome(tx, beginDelivery(order, now))
  await enqueue(tx, { kind: 'supplier.ask', key: `restored:${reference}`, payload: { attemptId: attempt.id }, now })
}

/**
 * Asks the supplier, one by one, about every order that might be bought a second time, by the references that its
 * purchases must have had. What is found is written down at once, each in a transaction of its own, so that the command
 * may be killed and run again at any time.
 */
export async function findBoughtAlready(
  db: Database,
  supplier: Supplier,
  { lostFrom, upTo, now }: Lost & { now: () => Date },
): Promise<BoughtAlready> {
  const candidates = await findCandidates(db, { lostFrom, upTo })
  const result: BoughtAlready = { asked: candidates.length, found: [], unanswered: [] }
  for (const candidate of candidates) {
    const { id, orderNo, quantity, delivers, sources } = candidate
    const sku = sources.find(each => each.supplier === supplier.name)?.sku ?? '-'
    for (let ahead = 0; ahead < ASKED_PER_ORDER; ahead++) {
      const reference = store.referenceOf(id, candidate.attempts + ahead)
      const told = await supplier.status({ reference, sku, delivers, quantity }, null)
      const { kind } = told.answer
      if (kind === 'notFound') continue
      if (kind === 'unknown') {
        result.unanswered.push(orderNo)
        break
      }
      const sentAt = lostFrom
      await db.transaction(tx => writeDown(tx, supplier, candidate, { reference, told, sentAt, now: now() }))
      // The purchases after one that failed have the numbers after it.
      if (!isOver(kind)) break
      candidate.attempts += ahead + 1
      ahead = -1
    }
  }
  result.found = await findFound(db, lostFrom)
  return result
}
