import type { PriceRow } from '@shop/shared/catalogue/catalogue.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { StoredPin } from '../account/pin.ts'
import type { Sql } from '../database/database.ts'
import type { Once } from '../http/idempotency.ts'
import { type Settings, settingsFrom } from '../settings/store.ts'
import type { OrderRecord } from './store.ts'

/** All that deciding about a wallet order needs. */
export interface WalletOrderFacts {
  kept: { requestHash: string; reply: { orderNo: string } } | null
  settings: Settings
  game: (OrderRecord['game'] & { id: number; fieldLabels: string[] }) | null
  package: { id: number; gameId: number; name: string } | null
  price: PriceRow | null
  /** Of the wallet's tier for this package. */
  discountSatang: Satang
  wallet: { id: string; balanceSatang: Satang; maxAmountPerOrderSatang: Satang; maxItemPerOrder: number } | null
  pin: StoredPin | null
}

type StoredRow = Omit<WalletOrderFacts, 'settings' | 'pin'> & {
  options: Record<string, string> | null
  pin: (Omit<StoredPin, 'lockedUntil'> & { lockedUntil: string | null }) | null
}

const FACTS_SQL = `WITH purse AS (
    SELECT w.id, w.balance_satang, w.tier_id, t.max_amount_per_order_satang, t.max_item_per_order
    FROM wallet w JOIN agent_tier t ON t.id = w.tier_id WHERE w.uid = $3 FOR UPDATE OF w
  ), secret AS (
    SELECT hash, wrong_tries, locked_until, is_one_time FROM pin WHERE uid = $3 FOR UPDATE
  )
  SELECT
    (SELECT json_build_object('id', id, 'balanceSatang', balance_satang, 'maxItemPerOrder', max_item_per_order,
      'maxAmountPerOrderSatang', max_amount_per_order_satang) FROM purse) AS wallet,
    (SELECT json_build_object('hash', hash, 'wrongTries', wrong_tries, 'lockedUntil', locked_until,
      'isOneTime', is_one_time) FROM secret) AS pin,
    (SELECT json_build_object('requestHash', request_hash, 'reply', reply)
      FROM idempotency_key WHERE scope = $1 AND key = $2) AS kept,
    (SELECT json_object_agg(name, value) FROM option) AS options,
    (SELECT json_build_object('id', id, 'code', code, 'name', name, 'picture', picture, 'fieldLabels', field_labels,
        'usualMinutes', json_build_object('from', usual_minutes_from, 'to', usual_minutes_to))
      FROM game WHERE id = $4 AND is_active) AS game,
    (SELECT json_build_object('id', id, 'gameId', game_id, 'name', name)
      FROM package WHERE id = $5 AND is_active) AS package,
    (SELECT json_build_object('priceSatang', price_satang, 'startDay', start_day, 'endDay', end_day,
      'isActive', is_active) FROM package_price WHERE package_id = $5 AND payment = 'wallet') AS price,
    coalesce((SELECT discount_satang FROM benefit
      WHERE package_id = $5 AND tier_id = (SELECT tier_id FROM purse) AND is_active), 0) AS "discountSatang"`

/** Reads the facts in one round trip and locks the wallet and the PIN until the transaction ends. */
export async function lockWalletOrderFacts(
  tx: Sql,
  ask: { once: Once; uid: string; gameId: number; packageId: number },
): Promise<WalletOrderFacts> {
  const [row] = await tx.query<StoredRow>({
    name: 'wallet_order_facts',
    text: FACTS_SQL,
    values: [ask.once.scope, ask.once.key, ask.uid, ask.gameId, ask.packageId],
  })
  const { options, pin, ...facts } = row!
  return {
    ...facts,
    settings: settingsFrom(options ?? {}),
    pin: pin && { ...pin, lockedUntil: pin.lockedUntil === null ? null : new Date(pin.lockedUntil) },
  }
}
