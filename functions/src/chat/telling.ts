import { backlogOf } from '@shop/shared/backlog/backlog.ts'
import { ENDING_STATUSES, endedLetter } from '@shop/shared/chat/buyer-messages.ts'
import type { ChatEvent, ChatRoom } from '@shop/shared/chat/chat.ts'
import type { ToldMove } from '@shop/shared/chat/house-messages.ts'
import { type ChatLinks, chatLinks } from '@shop/shared/chat/links.ts'
import { MESSAGE, type MessageFacts, type MessageKind } from '@shop/shared/chat/message.ts'
import type { TroubleKind } from '@shop/shared/chat/trouble.ts'
import { nextSource } from '@shop/shared/order/delivery.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { addSeconds, DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import {
  COUNTED_MOVES,
  labelOfMove,
  moveEntry,
  VALUE_MOVE,
  VALUE_MOVE_KINDS,
  type ValueMoveKind,
} from '@shop/shared/value/value.ts'
import { findNews } from '../access/news.ts'
import { findPin } from '../access/pin.ts'
import { findWaiting } from '../backlog/store.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import type { Environment } from '../environment/environment.ts'
import { orders } from '../order/tables.ts'
import type { OutboxHandler } from '../outbox/drain.ts'
import type { OutboxPayload } from '../outbox/payload.ts'
import type { Shop } from '../shop/shop.ts'
import { findWaitingFile } from '../statement/file-word-store.ts'
import { findHeldBy } from '../supplier/proof-store.ts'
import { findAttempts, findDelivery, findStandings } from '../supplier/store.ts'
import { findMove, findMoverSums } from '../value/store.ts'
import { findWordView } from '../value/word-store.ts'
import { wallet } from '../wallet/tables.ts'
import { findTopUp } from '../wallet/top-up-store.ts'
import { put, type Said, written } from './delivering.ts'
import { findListeners } from './listeners.ts'
import { findProposed, findToldOrder, findWaitingForStaff, type OrderFacts } from './order-facts.ts'
import * as store from './store.ts'
import { findTrouble, findTroubles } from './troubles.ts'

const [o, w] = [under(orders, 'o'), under(wallet, 'w')]

/** The addresses that links in messages lead to. */
export type LinkPlaces = Pick<Environment, 'LINE_LIFF_ID' | 'STOREFRONT_URL' | 'ADMIN_URL'>

export const linksOf = (config: LinkPlaces): ChatLinks =>
  chatLinks({ liffId: config.LINE_LIFF_ID ?? null, storefrontUrl: config.STOREFRONT_URL, adminUrl: config.ADMIN_URL })

function say<K extends MessageKind>(
  shop: Shop,
  kind: K,
  said: { to: Said['to']; about: string | null; facts: MessageFacts[K] },
): Said[] {
  const { facts, ...rest } = said
  const links = linksOf(shop.config)
  const letter = written(MESSAGE[kind].letter?.(facts, links))
  return [{ ...rest, kind, messages: MESSAGE[kind].build(facts, links), letter }]
}

/** Tells whether the supplier is about to deliver an order; staff get its message only when they must deliver it. */
async function isForSupplier(
  { db, suppliers, now }: Pick<Shop, 'db' | 'suppliers' | 'now'>,
  orderId: string,
): Promise<boolean> {
  const [order] = await db.query({
    text: sql`SELECT ${row(pick(o, 'packageId', 'priceSatang', 'quantity'))} FROM ${o} WHERE ${o.id} = $1`,
    values: [orderId],
  })
  const sold = order && (await findDelivery(db, order.packageId))
  if (!sold || (await findHeldBy(db, orderId))) return false
  const standingOf = await findStandings(db, suppliers, now())
  const next = nextSource(order, sold, { place: 0, missing: order.quantity }, standingOf)
  return (next.from === 'stock' || next.from === 'supplier') && (await findAttempts(db, orderId)).length === 0
}

const toldTopUp = async ({ db }: Pick<Shop, 'db'>, id: string) => {
  const record = await findTopUp(db, id)
  if (!record) return null
  const { topUp, agentName, fullName } = record
  const [paidInto] = await db.query({
    text: sql`SELECT ${row(pick(w, 'balanceSatang'))} FROM ${w} WHERE ${w.id} = $1`,
    values: [topUp.walletId],
  })
  const told = { ...topUp, agentName: fullName || agentName, hasSlip: topUp.slipId !== null, ...paidInto! }
  return { topUp, told }
}

const toldMove = ({
  kind,
  byName,
  ...move
}: Omit<ToldMove, 'label' | 'byName'> & { kind: string; byName: string | null }) => ({
  ...move,
  label: labelOfMove(kind),
  byName: byName ?? 'ไม่ทราบชื่อ',
})

/** Sends a message to the managers, to each admin, or to both. */
function sayToMovers<K extends 'valueMoved' | 'secondWordNeeded'>(
  shop: Shop,
  kind: K,
  { facts, toAdmins, toManagers }: { facts: MessageFacts[K]; toAdmins: boolean; toManagers: boolean },
): Said[] {
  const each = [...(toManagers ? (['managers'] as const) : []), ...(toAdmins ? (['admins'] as const) : [])]
  return each.flatMap(to => say(shop, kind, { to, about: null, facts }))
}

/** The hour at which the day's movements of money are reported to managers as one sum. */
const SUMMARY_HOUR = 20

/** The moment of a Bangkok day at which its summary ends. */
export const summaryTime = (day: string): Date => addSeconds(startOfBangkokDay(day), SUMMARY_HOUR * 3600)

/**
 * Returns who moved money since the managers' last digest, at most a day ago, because a burst reports none of them one
 * by one.
 */
async function findMoversOfDigest(shop: Shop, now: Date) {
  const { db } = shop
  const { line, mailboxes } = await findListeners(db, shop, 'managers')
  const [lineIds, addresses] = [line.map(({ lineId }) => lineId), mailboxes.map(({ address }) => address)]
  const last = await store.findLastDigest(db, lineIds, addresses)
  const from = new Date(Math.max(now.getTime() - DAY_MS, last?.getTime() ?? 0))
  return findMoverSums(db, { from, before: now, kinds: VALUE_MOVE_KINDS })
}

const staffFacts = ({ now }: Pick<Shop, 'now'>, order: OrderFacts) => ({ order, isHeld: order.isHeld, now: now() })

/** Tells whether the order has moved on since that turn; what it has come to is news with a turn of its own. */
const isOver = (order: OrderFacts, turn: string): boolean => order.turn !== Number(turn)

/** A group that is bound gets this number of cards of waiting orders; of more, one message that counts them. */
const MOST_CAUGHT_UP = 10

const ROOM_ROLE: Record<ChatRoom, Role> = { staff: 'staff', managers: 'manager' }

/** For each event, the messages it causes; none when the event is out of date. */
const TELL: Record<ChatEvent, (shop: Shop, id: string, turn: string) => Promise<Said[]>> = {
  async orderPaid(shop, id, turn) {
    const order = await findToldOrder(shop.db, { id })
    if (order?.status !== 'paid' || isOver(order, turn)) return []
    const { orderNo: about, buyerLineId, isRevived } = order
    const toBuyer =
      isRevived && buyerLineId !== null
        ? say(shop, 'orderRevived', { to: { lineId: buyerLineId }, about, facts: { order } })
        : []
    if (await isForSupplier(shop, id)) return toBuyer
    return [...toBuyer, ...say(shop, 'orderPaid', { to: 'staff', about, facts: staffFacts(shop, order) })]
  },
  async orderCorrected(shop, id, turn) {
    const order = await findToldOrder(shop.db, { id })
    const proposed = await findProposed(shop.db, id)
    // Of several corrections in a row the group is told the last.
    if (order?.status !== 'failed' || !proposed || proposed.turn !== Number(turn)) return []
    const facts = { order, proposed: proposed.fields }
    return say(shop, 'orderCorrected', { to: 'staff', about: order.orderNo, facts })
  },
  async refundAsked(shop, id) {
    const order = await findToldOrder(shop.db, { id })
    if (order?.status !== 'failed' || !order.isRefundAsked) return []
    return say(shop, 'refundAsked', { to: 'managers', about: order.orderNo, facts: { order } })
  },
  async orderUnclaimed(shop, id, turn) {
    const order = await findToldOrder(shop.db, { id })
    if (order?.status !== 'paid' || isOver(order, turn)) return []
    return say(shop, 'orderUnclaimed', { to: 'managers', about: order.orderNo, facts: staffFacts(shop, order) })
  },
  async orderEnded(shop, id, turn) {
    const order = await findToldOrder(shop.db, { id })
    if (!order || isOver(order, turn) || !(ENDING_STATUSES as string[]).includes(order.status)) return []
    if (order.guestAddress !== null) {
      const { guestAddress: address, trackToken, orderNo: about } = order
      const url = `${shop.config.STOREFRONT_URL.replace(/\/$/, '')}/track/${trackToken}`
      return [{ kind: 'orderEnded', to: { address }, about, messages: [], letter: written(endedLetter(order, url)) }]
    }
    if (!order.buyerLineId) return []
    return say(shop, 'orderEnded', { to: { lineId: order.buyerLineId }, about: order.orderNo, facts: { order } })
  },
  async topUpEntered(shop, id) {
    const found = await toldTopUp(shop, id)
    if (found?.topUp.status !== 'waiting_approve') return []
    return say(shop, 'topUpEntered', { to: 'managers', about: found.topUp.no, facts: { topUp: found.told } })
  },
  async topUpDecided(shop, id) {
    const found = await toldTopUp(shop, id)
    const lineId = found && (await store.findLineIdOf(shop.db, found.topUp.ownerUid))
    if (!lineId) return []
    const said = { to: { lineId }, about: found.topUp.no, facts: { topUp: found.told } }
    if (found.topUp.status === 'approve') return say(shop, 'topUpApproved', said)
    return found.topUp.status === 'reject' ? say(shop, 'topUpRejected', said) : []
  },
  async pinLocked(shop, uid, turn) {
    const [stored, lineId] = [await findPin(shop.db, uid), await store.findLineIdOf(shop.db, uid)]
    // The lock is reported even if it has ended by now, but not after a new PIN or a later lock, which has its own
    // message.
    if (!lineId || stored?.lockedAt?.toISOString() !== turn) return []
    const lock = { at: stored.lockedAt, until: stored.lockedUntil }
    return say(shop, 'pinLocked', { to: { lineId }, about: null, facts: { lock } })
  },
  async ownerUntold(shop, id) {
    const news = await findNews(shop.db, id)
    if (!news) return []
    return say(shop, 'ownerUntold', { to: 'managers', about: null, facts: { news, name: news.name, uid: news.uid } })
  },
  async trouble(shop, id) {
    const kind = id as TroubleKind
    const found = await findTrouble(shop, kind, shop.now())
    if (!found) return []
    return say(shop, 'trouble', { to: 'managers', about: null, facts: { kind, detail: found.detail } })
  },
  async roomBound(shop, id, turn) {
    if (id !== 'staff') return []
    const waiting = await findWaitingForStaff(shop.db, MOST_CAUGHT_UP + 1)
    if (waiting.length > MOST_CAUGHT_UP) return TELL.digest(shop, id, turn)
    // Told as at their own turn, so that no group gets a card twice.
    const each = waiting.map(async order => {
      const of = { event: 'orderPaid' as const, id: order.id, turn: String(order.turn) }
      return (await TELL.orderPaid(shop, of.id, of.turn)).map(said => ({ ...said, of }))
    })
    return (await Promise.all(each)).flat()
  },
  async valueMoved(shop, id) {
    const moved = await findMove(shop.db, id)
    if (!moved) return []
    const { secondName, isAlone } = moved
    const facts = { move: toldMove({ ...moved, byName: moved.name }), secondName, isAlone }
    const isForAdmins =
      Object.hasOwn(VALUE_MOVE, moved.kind) && moveEntry(moved.kind as ValueMoveKind).tells.whom === 'admins'
    return sayToMovers(shop, 'valueMoved', {
      facts,
      toAdmins: isForAdmins || isAlone,
      toManagers: !isForAdmins || isAlone,
    })
  },
  async secondWordNeeded(shop, id) {
    const word = await findWordView(shop.db, id)
    if (word?.state !== 'waiting') return []
    const facts = { move: toldMove({ ...word, at: word.askedAt, byName: word.askedByName }) }
    const toAdmins = word.action === 'value.secondAdmin'
    return sayToMovers(shop, 'secondWordNeeded', { facts, toAdmins, toManagers: !toAdmins })
  },
  async fileWaits(shop, id) {
    const file = await findWaitingFile(shop.db, id)
    if (!file) return []
    const { inSatang, fileName, givenByName, importedAt } = file
    const about = { amountSatang: inSatang, subjectName: fileName, note: `${file.lines} รายการเงินเข้า`, at: importedAt }
    const move = toldMove({ ...about, kind: 'fileGiven', byName: givenByName })
    return say(shop, 'fileWaits', { to: 'managers', about: null, facts: { move } })
  },
  async digest(shop, id) {
    const room = id as ChatRoom
    const now = shop.now()
    const kinds = backlogOf(ROOM_ROLE[room])
    const counted = await findWaiting(shop.db, kinds, { uid: null, caller: ROOM_ROLE[room], now })
    const waiting = kinds.flatMap(kind => {
      const row = counted[kind]
      return row && row.count > 0 ? [{ kind, count: row.count, oldest: row.oldest }] : []
    })
    const troubles = room === 'managers' ? (await findTroubles(shop, now)).map(({ kind }) => kind) : []
    const movers = room === 'managers' ? await findMoversOfDigest(shop, now) : []
    if (waiting.length === 0 && troubles.length === 0 && movers.length === 0) return []
    return say(shop, 'digest', { to: room, about: null, facts: { waiting, troubles, movers, now } })
  },
  async movesOfDay(shop, day) {
    const before = summaryTime(day)
    const span = { from: new Date(before.getTime() - DAY_MS), before, kinds: COUNTED_MOVES }
    const movers = await findMoverSums(shop.db, span)
    if (movers.length === 0) return []
    return say(shop, 'movesOfDay', { to: 'managers', about: null, facts: { movers, now: before } })
  },
}

/** The events whose turn is the version of the order, see `OrderFacts.turn`. */
const TURNS_OF_ORDERS: readonly ChatEvent[] = ['orderPaid', 'orderUnclaimed', 'orderEnded']

/**
 * Jobs from before the turn of an order was its version have a status there, or nothing. They tell what the order has
 * come to, at the turn at which a newer job would tell it, so that nobody is told twice.
 */
async function withTurn(
  { db }: Pick<Shop, 'db'>,
  told: OutboxPayload['chat.tell'],
): Promise<OutboxPayload['chat.tell']> {
  if (!TURNS_OF_ORDERS.includes(told.event) || /^\d+$/.test(told.turn)) return told
  const order = await findToldOrder(db, { id: told.id })
  return order ? { ...told, turn: String(order.turn) } : told
}

/** Decides once who receives a message about an event and in which words; sending it is a separate job. */
export const chatTellHandler: OutboxHandler<'chat.tell'> = {
  concurrency: 4,
  lockSeconds: 60,
  mostFaults: 20,
  async run(shop, job) {
    const event = await withTurn(shop, job)
    const all = shop.chat || shop.mail ? await TELL[event.event](shop, event.id, event.turn) : []
    return async tx => {
      for (const said of all) await put(tx, shop, said, event, shop.now())
      return { to: 'done' }
    }
  },
}
