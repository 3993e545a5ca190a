import type { Thief } from './thief.ts'

/**
 * What left the shop into a thief's hands, in satang, less all that they brought: what suppliers sent, whole codes, what
 * stands on accounts of theirs, and money that was sent. It asks where things are and not how they came there, so that a
 * way that nobody thought of is counted, too.
 */
export async function findLoot(thief: Thief): Promise<number> {
  const counts = [sentGoods, codesInHands, moneyOnAccounts, moneySent]
  let satang = 0
  for (const count of counts) satang += await count(thief)
  return satang - thief.broughtSatang
}

/** What suppliers delivered for the thief's orders, or to their players for anybody's, at what the shop paid for it. */
async function sentGoods({ it, orders, playerMark }: Thief): Promise<number> {
  const rows = await it.db.query<{ reference: string }>({
    text: `SELECT a.reference FROM supplier_attempt a JOIN orders o ON o.id = a.order_id WHERE o.order_no = ANY($1)`,
    values: [[...orders]],
  })
  const theirs = new Set(rows.map(({ reference }) => reference))
  return [...it.supplier.register.booked.values()]
    .filter(({ reference, product, fields }) => {
      const { user_id: player = '' } = fields
      const isTheirs =
        theirs.has(reference) || (player.length === playerMark.length + 6 && player.startsWith(playerMark))
      // Codes are counted where the shop keeps them.
      return isTheirs && product.delivers !== 'code'
    })
    .reduce((sum, { costSatang, givenBackSatang }) => sum + costSatang - givenBackSatang, 0)
}

/**
 * Codes that an order of theirs has, those that were taken back after somebody had looked at them, and those of anybody
 * that they looked at as staff; at what they cost the shop.
 */
const codesInHands = async ({ it, uid, orders }: Thief): Promise<number> =>
  sumOf(it, {
    text: `SELECT coalesce(v.cost_satang, p.cost_satang, 0) AS satang FROM voucher v JOIN package p ON p.id = v.package_id
      LEFT JOIN orders o ON o.id = v.order_id
      WHERE (o.order_no = ANY($1) AND (v.state = 'sold' OR v.revealed_at IS NOT NULL))
        OR EXISTS (SELECT FROM value_move m WHERE m.kind = 'codeSeen' AND m.actor_uid = $2 AND m.subject = 'voucher:' || v.id)`,
    values: [[...orders], uid],
  })

/** What the ledger holds for accounts of theirs, on wallets and as credit. */
const moneyOnAccounts = async ({ it, accounts }: Thief): Promise<number> =>
  sumOf(it, {
    text: `SELECT e.amount_satang AS satang FROM ledger_entry e WHERE e.account IN (
      SELECT 'wallet:' || id FROM wallet WHERE uid = ANY($1) UNION ALL SELECT 'credit:' || id FROM credit WHERE uid = ANY($1))`,
    values: [[...accounts]],
  })

/** Money that went out of the shop's bank by their hand, for an order of theirs, or to a bank account of theirs. */
const moneySent = async ({ it, uid, orders, payee }: Thief): Promise<number> =>
  sumOf(it, {
    text: `SELECT r.amount_satang AS satang FROM owed_refund r LEFT JOIN orders o ON o.id = r.order_id
      WHERE r.sent_from_id IS NOT NULL
        AND (r.sent_by = $1 OR o.order_no = ANY($2) OR r.payee->>'accountNo' = $3)`,
    values: [uid, [...orders], payee.accountNo],
  })

/** Adds up the column `satang` of a statement. */
async function sumOf({ db }: Thief['it'], { text, values }: { text: string; values: unknown[] }): Promise<number> {
  const [row] = await db.query<{ satang: number }>({
    text: `SELECT coalesce(sum(satang), 0)::bigint AS satang FROM (${text}) AS what`,
    values,
  })
  return row!.satang
}
