import type { Satang } from '@shop/shared/money.ts'
import type { OrderOutcome } from '@shop/shared/order/order.ts'
import type { MachineOrder } from '@shop/shared/reseller/reseller.ts'
import { uuidv7 } from 'uuidv7'
import { CREDIT_SINCE_PIN, isNewsToPin, type PinTry, rightPinSql } from '../../access/pin.ts'
import { pin, resellerKey } from '../../account/tables.ts'
import { saleCtes, saleValues } from '../../dashboard/sale-day.ts'
import { pick, under } from '../../database/sql.ts'
import { excludedSql, type Placeholders } from '../../database/values.ts'
import type { Once } from '../../http/idempotency.ts'
import { idempotencyKey } from '../../http/tables.ts'
import { jobValues } from '../../outbox/outbox.ts'
import { resellerDay, resellerOrder } from '../../reseller/tables.ts'
import { pickedForStrangerSql, pickedSql } from '../../voucher/store.ts'
import { voucher } from '../../voucher/tables.ts'
import { ledgerCtes, ledgerValues } from '../../wallet/store.ts'
import { credit } from '../../wallet/tables.ts'
import { deliverySql, tellSql } from '../jobs-store.ts'
import type { Kept } from '../store.ts'
import { orders, reservedAmount } from '../tables.ts'

/** The rows of orders that were made. */
const made = under(orders, 'made')
const [c, p, r] = [under(credit, 'c'), under(pin, 'p'), under(reservedAmount, 'r')]
const [k, d] = [under(resellerKey, 'k'), under(resellerDay, 'd')]
/** Where names stand alone. */
const [reply, reference, sums] = [under(idempotencyKey), under(resellerOrder), under(resellerDay)]
const [reserved, code, pinned] = [under(reservedAmount), under(voucher), under(pin)]
/** A PIN that is written beside other rows with a uid. */
const kept = under(pin, 'pin')
const purse = under(credit, 'purse')

/** What must still hold when the order is stored. */
export interface Reservation {
  /** For a transfer: that its new amount is free, or that its hold has not changed. */
  amount: 'new' | { holdId: string } | null
  /** That the PIN has not changed since it was tried. */
  tried: PinTry | null
  /**
   * For what shop credit pays: that no more than this has left it since its PIN was typed, this order's part with it; null
   * where the PIN was typed for it.
   */
  credit: { usedSatang: Satang; mostSatang: Satang | null } | null
  /** The codes that it takes from stock; all of them where no supplier is asked for the rest. */
  codes: { pieces: number; isAll: boolean; day: string } | null
  /** That the key of a machine works, and what it may still spend in that Bangkok day. */
  key: (MachineOrder & { day: string }) | null
}

export interface PlacedOrder extends Kept {
  outcome: OrderOutcome
  /** Version of the catalogue that the decision was based on. */
  catalogueVersion: number
  guestSlot: number | null
  reservation: Reservation
  once: Once
  /** Whether the shop sends messages in LINE; if not, no job is stored. */
  isTold: boolean
}

/** A row that must be as the decision found it; it stays locked until the order is stored. */
interface Need {
  /** Its table and alias, e.g. "credit c". */
  row: string
  /** What of it other texts use. */
  returns?: string
  where: string
  lock: 'UPDATE' | 'SHARE'
}

/**
 * What some orders need and write beside their own rows. Its texts follow from its values' names alone, so that all
 * orders of the same parts share one text.
 */
export interface Part<V extends object = object> {
  /** What its texts name, each at least once; null for an order without this part. */
  values(placed: PlacedOrder): V | null
  /** The rows that it needs, each under the name of its CTE. Without one of them no order is made. */
  needs?(sent: Placeholders<V>): Record<string, Need>
  /** CTEs that take, for the orders `placed`, what others want as well; an order is made only with a row of `join`. */
  takes?(sent: Placeholders<V>): { ctes?: string[]; join?: string }
  /** CTEs that write beside the orders `made`. @param waits see below, of all parts */
  writes?(sent: Placeholders<V>, waits: string[]): string[]
  /** The one among `writes` that may wait for somebody; its rows tell that it is done. */
  waits?: string
}

const AMOUNT = pick(
  reserved,
  'id',
  'receivingAccountId',
  'amountSatang',
  'priceSatang',
  'buyerKey',
  'orderId',
  'reusableAt',
)
const OVERWRITTEN = excludedSql(pick(reserved, 'id', 'priceSatang', 'buyerKey', 'orderId', 'reusableAt'))

/** Takes amounts that are free, or free again. The table's primary key decides who gets one. */
export const amountsSql = (wanted: string, now: string): string => `
  INSERT INTO ${reserved} AS r (${Object.values(AMOUNT)})
  ${wanted} ON CONFLICT (${reserved.receivingAccountId}, ${reserved.amountSatang}) DO UPDATE SET ${OVERWRITTEN}
  WHERE ${r.reusableAt} <= ${now} RETURNING ${r.orderId}`

/** Lets the texts of a part name its values only. */
export const part = <V extends object>(one: Part<V>): Part => one

const REFERENCE = pick(reference, 'orderId', 'uid', 'keyId', 'ref', 'requestHash', 'quantity', 'priceSatang')

const purseWhere = (where: string): Record<string, Need> => ({
  purse: { row: `${c}`, returns: c.leftSatang.sql, where, lock: 'UPDATE' },
})

const posting = (isOf: (order: OrderOutcome['order']) => boolean, waits: string): Part =>
  part({
    values: ({ outcome: { order, ledger, credit } }) => {
      const money = ledger ?? credit
      return money && isOf(order) ? ledgerValues({ ...money, id: uuidv7(), subjectId: order.id }) : null
    },
    writes: sent => [ledgerCtes(sent, 'made')],
    waits,
  })

const picking = (isForStranger: boolean, picked: typeof pickedSql): Part =>
  part({
    values: ({ outcome: { order, event }, reservation: { codes }, guestSlot }) =>
      codes && (guestSlot !== null) === isForStranger
        ? { packageId: order.packageId, pieces: codes.pieces, day: codes.day, at: event.at }
        : null,
    takes: ({ packageId, pieces, day }) => ({
      ctes: [`picked AS MATERIALIZED (${picked(packageId, pieces, day)})`],
    }),
    writes: ({ at }) => [
      `taken_codes AS (UPDATE ${code} SET ${code.state} = 'reserved', ${code.orderId} = ${made.id}, ${code.reservedAt} = ${at}
        FROM made, picked WHERE voucher.id = picked.id)`,
    ],
  })

/**
 * All parts, in the order in which their texts stand and their rows are locked, so that two orders never wait for each
 * other in a circle. A sale is counted after all that may wait.
 */
export const PARTS = {
  /** The reply that its idempotency key gets again. */
  reply: part({
    values: ({ reservation }) => (reservation.key ? null : {}),
    writes: () => [
      `kept AS (INSERT INTO ${reply} (${Object.values(pick(reply, 'scope', 'key', 'requestHash', 'reply', 'createdAt'))})
        SELECT scope, key, "requestHash", jsonb_build_object('orderNo', "orderNo"), at
        FROM made JOIN placed USING (id) RETURNING ${reply.key})`,
    ],
    waits: 'kept',
  }),
  /** The key of a machine, and what it spends in a day; a machine's reference names its order for ever. */
  key: part({
    values: ({ outcome: { order }, reservation: { key } }) =>
      key && { keyId: key.keyId, day: key.day, priceSatang: order.priceSatang, mostSatang: key.dailyLimitSatang },
    // A key that is ended meanwhile waits, and so does its next order of the day.
    needs: ({ keyId, day, priceSatang, mostSatang }) => ({
      working: { row: `${k}`, where: `${k.id} = ${keyId} AND ${k.endedAt} IS NULL`, lock: 'SHARE' },
      within: {
        row: `${d}`,
        where: `${d.keyId} = ${keyId} AND ${d.day} = ${day}::date
          AND (${mostSatang}::bigint IS NULL OR ${d.spentSatang} + ${priceSatang}::bigint <= ${mostSatang}::bigint)`,
        lock: 'UPDATE',
      },
    }),
    writes: ({ keyId, day, priceSatang }) => [
      `kept AS (INSERT INTO ${reference} (${Object.values(REFERENCE)})
        SELECT id, "buyerUid", ${keyId}, key, "requestHash", quantity, "priceSatang"
        FROM made JOIN placed USING (id) RETURNING ${reference.ref})`,
      `spent AS (UPDATE ${d} SET ${sums.orders} = ${d.orders} + 1, ${sums.spentSatang} = ${d.spentSatang} + ${priceSatang}::bigint
        FROM made WHERE ${d.keyId} = ${keyId} AND ${d.day} = ${day}::date)`,
    ],
    waits: 'kept',
  }),
  /** The PIN is still the one that was tried. It is locked before the credit. */
  pin: part({
    values: ({ outcome: { order }, reservation: { tried } }) =>
      tried && { uid: order.buyerUid, version: tried.from.version },
    needs: ({ uid, version }) => ({
      pinned: { row: `${p}`, where: `${p.uid} = ${uid} AND ${p.version} = ${version}`, lock: 'UPDATE' },
    }),
  }),
  /** A PIN that was wrong before, or is kept under an old key. */
  mended: part({
    values: ({ outcome: { order }, reservation: { tried, credit } }) =>
      tried && !credit && isNewsToPin(tried) ? { uid: order.buyerUid, hash: tried.to.hash } : null,
    writes: ({ uid, hash }) => [
      `mended AS (UPDATE ${kept} SET ${rightPinSql(hash, '1')} FROM made WHERE ${kept.uid} = ${uid})`,
    ],
  }),
  /**
   * Shop credit for which no PIN was typed. Orders of the same moment wait for each other here, and each sees what left
   * with the ones before.
   */
  credit: part({
    values: ({ outcome: { order }, reservation: { credit } }) =>
      credit && credit.mostSatang !== null
        ? { creditId: order.creditId, usedSatang: credit.usedSatang, mostSatang: credit.mostSatang }
        : null,
    needs: ({ creditId, usedSatang, mostSatang }) =>
      purseWhere(`${c.id} = ${creditId} AND ${CREDIT_SINCE_PIN} + ${usedSatang}::bigint <= ${mostSatang}::bigint`),
  }),
  /** Shop credit for which the PIN was typed: what leaves it is counted anew from here. */
  pinCredit: part({
    values: ({ outcome: { order }, reservation: { tried, credit } }) =>
      tried && credit
        ? {
            creditId: order.creditId,
            usedSatang: credit.usedSatang,
            uid: order.buyerUid,
            hash: tried.to.hash,
            changes: isNewsToPin(tried) ? 1 : 0,
          }
        : null,
    needs: ({ creditId }) => purseWhere(`${c.id} = ${creditId}`),
    writes: ({ uid, usedSatang, hash, changes }) => [
      `counted AS (UPDATE ${kept} SET ${pinned.creditLeftSatang} = ${purse.leftSatang} + ${usedSatang}::bigint,
        ${rightPinSql(hash, changes)} FROM made, purse WHERE ${kept.uid} = ${uid})`,
    ],
  }),
  /** The message in LINE that it is paid. */
  told: part({
    values: ({ outcome: { order, event }, isTold }) => (order.paidAt && isTold ? jobValues(event.at) : null),
    writes: sent => [`telling AS (${tellSql('made', `'orderPaid'`, `'1'`, sent)})`],
  }),
  fromWallet: posting(order => order.walletId !== null, 'moved'),
  fromCredit: posting(order => order.walletId === null, 'moved_credit'),
  /** Its delivery begins and its sale counts. */
  paid: part({
    values: ({ outcome: { order, event } }) =>
      order.paidAt && { ...jobValues(event.at), ...saleValues(order, order.paidAt) },
    writes: (sent, waits) => [`delivering AS (${deliverySql('made', 'true', sent)})`, saleCtes(sent, waits)],
  }),
  /** The amount of a transfer, in a fixed order, so that two batches never wait for each other. */
  amount: part({
    values: ({ outcome: { event }, reservation: { amount } }) => amount && { now: event.at },
    takes: ({ now }) => ({
      ctes: [
        `taken AS (${amountsSql(
          `SELECT "amountId", "receivingAccountId", "priceSatang" + "tailSatang" - "creditSatang" AS amount,
             "priceSatang" - "creditSatang", "buyerKey", id, NULL::timestamptz
           FROM placed WHERE "holdId" IS NULL ORDER BY "receivingAccountId", amount`,
          now,
        )})`,
        `adopted AS (UPDATE ${r} SET ${reserved.orderId} = p.id, ${reserved.reusableAt} = NULL FROM placed p
          WHERE ${r.id} = "holdId" AND ${r.buyerKey} = "buyerKey" AND ${r.orderId} IS NULL AND ${r.reusableAt} > at RETURNING ${r.orderId})`,
        'reserved AS (SELECT order_id FROM taken UNION ALL SELECT order_id FROM adopted)',
      ],
      join: 'JOIN reserved ON order_id = id',
    }),
  }),
  /** Codes from stock. */
  codes: picking(false, pickedSql),
  openCodes: picking(true, pickedForStrangerSql),
  /** No supplier is asked for the rest. */
  allCodes: part({
    values: ({ reservation: { codes } }) => (codes?.isAll ? { pieces: codes.pieces } : null),
    takes: ({ pieces }) => ({
      join: `JOIN (SELECT count(*) AS pieces FROM picked) AS stock ON stock.pieces = ${pieces}::int`,
    }),
  }),
} satisfies Record<string, Part>

export type PartName = keyof typeof PARTS
