import type { Charge } from '@shop/shared/gateway/gateway.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { gatewayLabel } from '@shop/shared/provider-names.ts'
import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import { enqueue } from '../outbox/outbox.ts'
import type { Shop } from '../shop/shop.ts'
import type { ChargeState, ToldCharge } from './provider.ts'
import * as store from './store.ts'

/** The days of charges that are compared, so that what one night missed the next finds. */
const CHECKED_SECONDS = 2 * 24 * 3600
/** A day is closed this long after its end, when nothing is posted for it any more. */
const CLOSED_SECONDS = 25 * 3600
/** What is younger may be on its way. */
const YOUNG_SECONDS = 600

/** What a gateway says of a charge that is not paid, in words for staff. */
const SAID = {
  waiting: 'รอชำระ',
  failed: 'ไม่สำเร็จ',
  expired: 'หมดอายุ',
} as const satisfies Record<Exclude<ChargeState['kind'], 'paid'>, string>

const GONE_BACK = { refunded: 'คืนเงินแล้ว', disputed: 'ผู้ซื้อโต้แย้งการชำระ' } as const

/**
 * Returns how a charge in the shop's books differs from the gateway's list, in words for staff that begin with the
 * gateway's id of it; null when they agree.
 */
function differenceOf(charge: Charge, told: ToldCharge | undefined): string | null {
  const isPaid = charge.state === 'paid'
  if (!told) return isPaid ? `${charge.reference}: ร้านบันทึกว่าชำระแล้ว แต่ไม่มีในรายการของผู้ให้บริการ` : null
  const { state } = told
  if (state.kind !== 'paid')
    return isPaid ? `${told.reference}: ร้านบันทึกว่าชำระแล้ว แต่ผู้ให้บริการแจ้งว่า${SAID[state.kind]}` : null
  if (!isPaid) return `${told.reference}: ผู้ให้บริการรับเงินแล้ว แต่ร้านยังไม่บันทึก`
  if (told.goneBack)
    return `${told.reference}: ${GONE_BACK[told.goneBack.why]} ฿${formatBaht(told.goneBack.amountSatang)} ที่ผู้ให้บริการ โดยไม่ผ่านร้าน`
  if (told.amountSatang !== charge.amountSatang)
    return `${told.reference}: ร้านบันทึก ฿${formatBaht(charge.amountSatang)} ผู้ให้บริการแจ้ง ฿${formatBaht(told.amountSatang)}`
  if (state.feeSatang !== null && state.feeSatang !== charge.feeSatang)
    return `${told.reference}: ค่าธรรมเนียมที่ร้านบันทึก ${charge.feeSatang === null ? 'ยังไม่ทราบ' : `฿${formatBaht(charge.feeSatang)}`} ผู้ให้บริการแจ้ง ฿${formatBaht(state.feeSatang)}`
  return null
}

/** Tells whether the gateway has taken money, or kept a fee, that the shop does not know. */
const isNews = (charge: Charge, told: ToldCharge | undefined): boolean =>
  told?.state.kind === 'paid' &&
  (charge.state !== 'paid' || (charge.feeSatang === null && told.state.feeSatang !== null))

/**
 * Holds the gateway's own list of charges against the shop's. What it took or kept without the shop knowing is asked
 * about anew, so that it pays its order or is owed, and its fee is in the books. What gateways held when the last day
 * ended is kept on the way.
 */
export async function checkGateway(shop: Pick<Shop, 'db' | 'gateway' | 'now'>): Promise<string[]> {
  const { db, gateway } = shop
  const now = shop.now()
  // The night is long after the end of the day that it closes.
  await store.closeDay(db, bangkokDay(addSeconds(now, -CLOSED_SECONDS)))
  if (!gateway) return []
  const period = { from: addSeconds(now, -CHECKED_SECONDS), to: addSeconds(now, -YOUNG_SECONDS) }
  const list = await gateway.list(period)
  if (list.kind !== 'list') return [`${gatewayLabel(gateway.name)} ไม่ส่งรายการให้ตรวจ (${list.kind})`]
  const ours = await store.findChargesBetween(db, gateway.name, period)
  const told = new Map(list.charges.flatMap(each => (each.chargeId === null ? [] : [[each.chargeId, each] as const])))
  const known = new Set(ours.map(({ id }) => id))
  const strangers = list.charges.filter(
    ({ chargeId, state }) => state.kind === 'paid' && !(chargeId && known.has(chargeId)),
  )
  for (const charge of ours) {
    const news = told.get(charge.id)
    if (!news || !isNews(charge, news)) continue
    const { id } = charge
    // An earlier list may have lacked it, so that it was given up.
    if (news.state.kind === 'paid') await store.learnReference(db, id, news.reference)
    await enqueue(db, { kind: 'charge.ask', key: `check:${id}:${bangkokDay(now)}`, payload: { chargeId: id }, now })
  }
  return [
    ...(list.isWhole ? [] : [`${gatewayLabel(gateway.name)} ส่งรายการให้ตรวจไม่ครบ`]),
    ...strangers.map(
      ({ reference, amountSatang }) => `${reference}: ผู้ให้บริการรับ ฿${formatBaht(amountSatang)} ซึ่งร้านไม่รู้จัก`,
    ),
    // What is missing from a list with gaps proves nothing.
    ...ours.flatMap(charge =>
      list.isWhole || told.has(charge.id) ? (differenceOf(charge, told.get(charge.id)) ?? []) : [],
    ),
  ]
}
