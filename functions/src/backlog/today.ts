import { ROLE_LABELS } from '@shop/shared/account/account.ts'
import { newsFor, sentenceOfMove } from '@shop/shared/audit/news.ts'
import { sentenceOf } from '@shop/shared/audit/sentence.ts'
import type { News, OwnDay, SalesOfToday } from '@shop/shared/backlog/endpoints.ts'
import { dayAgo, type SoldSoFar } from '@shop/shared/backlog/today.ts'
import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { isAdminSide } from '@shop/shared/permissions.ts'
import { nextOpeningOf } from '@shop/shared/settings/opening-hours.ts'
import { may } from '../account/caller.ts'
import { type AuditRow, findLatest, findNamesOf } from '../audit/store.ts'
import type { Context } from '../call/route.ts'
import { inJson } from '../http/in-json.ts'
import * as store from './today-store.ts'

/** So many events stand on the first page. */
const MOST_NEWS = 9

const soldSoFar = (hours: readonly store.SoldHour[], day: store.SoldHour['day']): SoldSoFar =>
  hours
    .filter(hour => hour.day === day && hour.isSoFar)
    .reduce(
      (sum, { orders, revenueSatang }) => ({
        orders: sum.orders + orders,
        revenueSatang: sum.revenueSatang + revenueSatang,
      }),
      { orders: 0, revenueSatang: 0 },
    )

/** Returns what today sold up to now, beside the same hours of yesterday and of a week ago. */
async function viewSales({ shop: { reports, catalogue }, now }: Context): Promise<SalesOfToday> {
  const { from } = dayAgo(0, now)
  const { options } = await catalogue.latest()
  const opensAt = nextOpeningOf(options.OPENING_HOURS, from) ?? from
  const [hours, { foundAlone, foundAll, firstSaleAt, ...deliveries }] = await Promise.all([
    store.findSoldHours(reports, now),
    store.findDeliveries(reports, { from, opensAt }),
  ])
  const ordersOf = (day: store.SoldHour['day'], hour: number) =>
    hours.reduce((sum, sold) => sum + (sold.day === day && sold.hour === hour ? sold.orders : 0), 0)
  return {
    today: soldSoFar(hours, 'today'),
    yesterday: soldSoFar(hours, 'yesterday'),
    lastWeek: soldSoFar(hours, 'lastWeek'),
    hours: Array.from({ length: 24 }, (_, hour) => ({
      orders: ordersOf('today', hour),
      lastWeek: ordersOf('lastWeek', hour),
    })),
    ...deliveries,
    found: { alone: foundAlone, all: foundAll },
    firstSaleAt: firstSaleAt?.toISOString() ?? null,
  }
}

async function viewOwn({ shop: { db }, uid, now }: Context): Promise<OwnDay | null> {
  if (!uid) return null
  const [done, claimed] = await Promise.all([
    store.findOwnDeliveries(db, uid, dayAgo(0, now).from),
    store.findClaimed(db, uid),
  ])
  return { ...done, claimed: claimed.map(row => inJson(row)) }
}

type Dated = Omit<News, 'at'> & { at: Date }

/** Buyers are told by their role: their names are no news. */
function newsOfMove(row: store.MoveRow): Dated {
  const { at, actorRole, actorName, gameName, packageName, ...move } = row
  const isAlone = actorRole === 'system'
  const role = isAlone ? 'ระบบ' : actorRole === 'guest' ? ROLE_LABELS.customer : ROLE_LABELS[actorRole]
  return {
    at,
    isAlone,
    actorName: !isAlone && isAdminSide(actorRole) ? (actorName ?? role) : role,
    pieces: sentenceOfMove({ ...move, isAlone }),
    note: `${gameName} · ${packageName}`,
  }
}

const newsOfTopUp = ({ at, id, no, payment, actorName, isAlone, ...row }: store.ApprovedRow): Dated => ({
  at,
  isAlone,
  actorName: isAlone ? 'ระบบ' : (actorName ?? 'พนักงาน'),
  pieces: ['อนุมัติเติมเงิน ', { subject: `topUp:${id}`, name: no }],
  note: `฿${formatBaht(row.amountSatang)} · ${row.walletName} · ${PAYMENT_METHOD[payment].name}`,
})

function newsOfEntry(entry: AuditRow, names: Record<string, string>): Dated {
  const more = entry.changeSize - 1
  return {
    at: entry.at,
    isAlone: false,
    actorName: entry.actorName ?? entry.actorUid,
    pieces: sentenceOf(inJson(entry), names),
    note: more > 0 ? `และอีก ${more} รายการ` : null,
  }
}

/** Returns the latest events of which this caller may know, newest first. */
async function viewNews(context: Context): Promise<News[]> {
  const { db } = context.shop
  const [moves, approved, entries] = await Promise.all([
    may(context, 'order.list') ? store.findMoves(db, MOST_NEWS) : [],
    may(context, 'wallet.look') ? store.findApproved(db, MOST_NEWS) : [],
    findLatest(
      db,
      newsFor(action => may(context, action)),
      MOST_NEWS,
    ),
  ])
  const names = await findNamesOf(db, entries)
  const all = [...moves.map(newsOfMove), ...approved.map(newsOfTopUp), ...entries.map(each => newsOfEntry(each, names))]
  return all
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, MOST_NEWS)
    .map(each => inJson(each))
}

/** Returns today for one person: the shop's sales, or else their own deliveries; and what happened last. */
export async function viewToday(context: Context) {
  const seesSales = may(context, 'dashboard.view')
  const [sales, own, news] = await Promise.all([
    seesSales ? viewSales(context) : null,
    !seesSales && may(context, 'order.work') ? viewOwn(context) : null,
    viewNews(context),
  ])
  return { sales, own, news, nowDate: context.now.toISOString() }
}
