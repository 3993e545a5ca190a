import { BANK_SOURCE, CURRENCIES, type Currency, isRateOld } from '@shop/shared/cost/currency.ts'
import type { RateView, saveRate as saveRateContract } from '@shop/shared/cost/endpoints.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { audit } from '../audit/store.ts'
import { type Context, personOf } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { log } from '../http/log.ts'
import { findOptions } from '../settings/store.ts'
import type { Shop } from '../shop/shop.ts'
import { moveValue } from '../value/moving.ts'
import { findStoredRates, findUsedCurrencies, lockRate, saveBankRates, saveTypedRate } from './rate-store.ts'

/** The bank is asked about so many days, because it publishes on working days only. */
const ASKED_DAYS = 10

/** Reads the bank's rates of the last days. */
export async function fetchRates({ db, bankRates, now }: Pick<Shop, 'db' | 'bankRates' | 'now'>): Promise<void> {
  if (!bankRates) return
  const at = now()
  const rates = await bankRates.latest(bangkokDay(new Date(at.getTime() - ASKED_DAYS * DAY_MS)), bangkokDay(at))
  if (!rates) return log('WARNING', 'the bank does not tell its rates')
  const { CURRENCY_MARGIN: marginPercent } = await findOptions(db)
  const jumped = await saveBankRates(db, rates, { marginPercent, now: at })
  if (jumped.length > 0) log('WARNING', 'rates that jumped are not believed', { currencies: jumped.join(' ') })
}

export async function listRates(db: Sql, now: Date): Promise<RateView[]> {
  const stored = new Map((await findStoredRates(db)).map(rate => [rate.currency, rate]))
  const used = await findUsedCurrencies(db)
  return CURRENCIES.map(currency => {
    const found = stored.get(currency)
    return {
      currency,
      baht: found?.baht ?? null,
      isFromBank: found?.source === BANK_SOURCE,
      byName: found?.byName ?? null,
      at: found?.at.toISOString() ?? null,
      isOld: found !== undefined && isRateOld(found.at, now),
      isUsed: used.includes(currency),
    }
  })
}

/** Returns the currencies that products are billed in and whose rate is old or unknown. */
export async function findOldRates(db: Sql, now: Date): Promise<string[]> {
  const rates = new Map((await findStoredRates(db)).map(({ currency, at }) => [currency, at]))
  return (await findUsedCurrencies(db)).filter(currency => {
    const at = rates.get(currency)
    return at === undefined || isRateOld(at, now)
  })
}

/** Whoever lowers a rate lets everything that is billed in it count as cheaper than it may be. */
async function mustMayLower(
  tx: Sql,
  context: Context,
  { currency, from, to }: { currency: Currency; from: string | null; to: string },
): Promise<void> {
  if (from !== null && Number(to) >= Number(from)) return
  const note = `1 ${currency}: ${from ?? 'ไม่มี'} → ${to} บาท`
  await moveValue(tx, personOf(context), { kind: 'rateLowered', amountSatang: 0, subject: `rate:${currency}`, note })
}

/** @throws CONFLICT, SECOND_WORD_NEEDED */
export async function saveRate(
  context: Context,
  { currency, baht, seen }: ParsedInput<typeof saveRateContract>['body'],
): Promise<RateView> {
  const { shop, now } = context
  return shop.db.transaction(async tx => {
    const from = await lockRate(tx, currency)
    if (from !== seen) throw new AppError('CONFLICT', { details: { current: { currency, baht: from } } })
    await mustMayLower(tx, context, { currency, from, to: baht })
    await saveTypedRate(tx, { currency, baht, uid: personOf(context).uid, now })
    const sides = { before: from === null ? null : { baht: from }, after: { baht } }
    await audit(tx, personOf(context), { action: 'rate.save', subject: `rate:${currency}`, ...sides })
    return (await listRates(tx, now)).find(rate => rate.currency === currency)!
  })
}
