import type { Satang } from '@shop/shared/money.ts'
import type { OrderOutcome } from '@shop/shared/order/order.ts'
import type { MachineOrder } from '@shop/shared/reseller/reseller.ts'
import { uuidv7 } from 'uuidv7'
import { CREDIT_SINCE_PIN, isNewsToPin, type PinTry, rightPinSql } from '../../access/pin.ts'
import { saleCtes, saleValues } from '../../dashboard/sale-day.ts'
import type { Placeholders } from '../../database/values.ts'
import type { Once } from '../../http/idempotency.ts'
import { jobValues } from '../../outbox/outbox.ts'
import { pickedForStrangerSql, pickedSql } from '../../voucher/store.ts'
import { ledgerCtes, ledgerValues } from '../../wallet/store.ts'
import { deliverySql, type Kept, tellSql } from '../store.ts'

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

/** Takes amounts that are free, or free again. The table's primary key decides who gets one. */
export const amountsSql = (wanted: string, now: string): string => `
  INSERT INTO reserved_amount AS r (id, receiving_account_id, amount_satang, price_satang, buyer_key, order_id, reusable_at)
  ${wanted} ON CONFLICT (receiving_account_id, amount_satang) DO UPDATE SET id = excluded.id,
    price_satang = excluded.price_satang, buyer_key = excluded.buyer_key, order_id = excluded.order_id,
    reusable_at = excluded.reusable_at
  WHERE r.reusable_at <= ${now} RETURNING r.order_id`

/** Lets the texts of a part name its values only. */
export const part = <V extends object>(one: Part<V>): Part => one

const purseWhere = (where: string): Record<string, Need> => ({
  purse: { row: 'credit c', returns: 'c.left_satang', where, lock: 'UPDATE' },
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
      `taken_codes AS (UPDATE voucher SET state = 'reserved', order_id = made.id, reserved_at = ${at}
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
      `kept AS (INSERT INTO idempotency_key (scope, key, request_hash, reply, created_at)
        SELECT scope, key, "requestHash", jsonb_build_object('orderNo', "orderNo"), at
        FROM made JOIN placed USING (id) RETURNING key)`,
    ],
    waits: 'kept',
  }),
  /** The key of a machine, and what it spends in a day; a machine's reference names its order for ever. */
  key: part({
    values: ({ outcome: { order }, reservation: { key } }) =>
      key && { keyId: key.keyId, day: key.day, priceSatang: order.priceSatang, mostSatang: key.dailyLimitSatang },
    // A key that is ended meanwhile waits, and so does its next order of the day.
    needs: ({ keyId, day, priceSatang, mostSatang }) => ({
      working: { row: 'reseller_key k', where: `k.id = ${keyId} AND k.ended_at IS NULL`, lock: 'SHARE' },
      within: {
        row: 'reseller_day d',
        where: `d.key_id = ${keyId} AND d.day = ${day}::date
          AND (${mostSatang}::bigint IS NULL OR d.spent_satang + ${priceSatang}::bigint <= ${mostSatang}::bigint)`,
        lock: 'UPDATE',
      },
    }),
    writes: ({ keyId, day, priceSatang }) => [
      `kept AS (INSERT INTO reseller_order (order_id, uid, key_id, ref, request_hash, quantity, price_satang)
        SELECT id, "buyerUid", ${keyId}, key, "requestHash", quantity, "priceSatang"
        FROM made JOIN placed USING (id) RETURNING ref)`,
      `spent AS (UPDATE reseller_day d SET orders = d.orders + 1, spent_satang = d.spent_satang + ${priceSatang}::bigint
        FROM made WHERE d.key_id = ${keyId} AND d.day = ${day}::date)`,
    ],
    waits: 'kept',
  }),
  /** The PIN is still the one that was tried. It is locked before the credit. */
  pin: part({
    values: ({ outcome: { order }, reservation: { tried } }) =>
      tried && { uid: order.buyerUid, version: tried.from.version },
    needs: ({ uid, version }) => ({
      pinned: { row: 'pin p', where: `p.uid = ${uid} AND p.version = ${version}`, lock: 'UPDATE' },
    }),
  }),
  /** A PIN that was wrong before, or is kept under an old key. */
  mended: part({
    values: ({ outcome: { order }, reservation: { tried, credit } }) =>
      tried && !credit && isNewsToPin(tried) ? { uid: order.buyerUid, hash: tried.to.hash } : null,
    writes: ({ uid, hash }) => [
      `mended AS (UPDATE pin SET ${rightPinSql(hash, '1')} FROM made WHERE pin.uid = ${uid})`,
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
      purseWhere(`c.id = ${creditId} AND ${CREDIT_SINCE_PIN} + ${usedSatang}::bigint <= ${mostSatang}::bigint`),
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
    needs: ({ creditId }) => purseWhere(`c.id = ${creditId}`),
    writes: ({ uid, usedSatang, hash, changes }) => [
      `counted AS (UPDATE pin SET credit_left_satang = purse.left_satang + ${usedSatang}::bigint,
        ${rightPinSql(hash, changes)} FROM made, purse WHERE pin.uid = ${uid})`,
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
        `adopted AS (UPDATE reserved_amount r SET order_id = p.id, reusable_at = NULL FROM placed p
          WHERE r.id = "holdId" AND r.buyer_key = "buyerKey" AND r.order_id IS NULL AND r.reusable_at > at RETURNING r.order_id)`,
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
