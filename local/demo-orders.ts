// Two months of ordinary orders, by transfer and through the gateway, made by the shop's own decisions so that states, events and ledger agree.
import { randomUUID } from 'node:crypto'
import { type PlayerInputs, playerFieldsOf } from '@shop/shared/catalogue/catalogue.ts'
import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { claimOrder, completeOrder } from '@shop/shared/order/claim.ts'
import {
  cancelOrder,
  expireOrder,
  markPaid,
  type Order,
  type OrderOutcome,
  placeOrder,
} from '@shop/shared/order/order.ts'
import type { Actor } from '@shop/shared/order/status.ts'
import { addSeconds, DAY_MS } from '@shop/shared/time.ts'
import { findCatalogueVersion } from 'functions/src/catalogue/snapshot.ts'
import type { StoredAccount } from 'functions/src/catalogue/tables.ts'
import type { Database, Sql } from 'functions/src/database/database.ts'
import { newOrderNo, newTrackToken } from 'functions/src/order/placing/placing.ts'
import { insertOrder } from 'functions/src/order/placing/placing-store.ts'
import { saveOutcome } from 'functions/src/order/store.ts'
import type { OrderSnapshot } from 'functions/src/order/tables.ts'
import { uuidv7 } from 'uuidv7'
import { demoRegulars } from './demo-accounts.ts'
import { LIVED_DAYS } from './demo-days.ts'
import { GATEWAY_DAYS, methodAt, takeByGateway } from './demo-gateway.ts'

const DAYS = 60
const ORDERS_PER_DAY = 6
const guest: Actor = { uid: null, role: 'guest' }
const workers: Actor[] = [
  { uid: 'demo-staff', role: 'staff' },
  { uid: 'demo-staff2', role: 'staff' },
  { uid: 'demo-manager2', role: 'manager' },
]
const customers: Actor[] = [
  { uid: 'demo-customer', role: 'customer' },
  ...demoRegulars.map(({ uid }): Actor => ({ uid, role: 'customer' })),
]

interface PackageToSell
  extends PlayerInputs,
    Pick<OrderSnapshot, 'gameName' | 'gamePicture' | 'packageName' | 'usualMinutes'> {
  gameId: number
  packageId: number
  priceSatang: number
  costSatang: number
}

/** Random numbers from a fixed seed, so that every demo shop has the same past. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What is more recent is lived, see demo-days.ts. */
export async function insertDemoOrders(db: Database, now: Date): Promise<void> {
  const offers = await db.query<PackageToSell>({
    text: `SELECT g.id AS "gameId", p.id AS "packageId", p.name AS "packageName", g.fields_on AS "fieldsOn", g.field_labels AS "fieldLabels",
        g.field_formats AS "fieldFormats", g.name AS "gameName", g.picture AS "gamePicture", r.price_satang AS "priceSatang",
        p.cost_satang AS "costSatang",
        json_build_object('from', g.usual_minutes_from, 'to', g.usual_minutes_to) AS "usualMinutes"
      FROM package p JOIN game g ON g.id = p.game_id JOIN package_price r ON r.package_id = p.id AND r.payment = 'bank'
      ORDER BY p.id`,
  })
  const accounts = await db.query<StoredAccount>({
    text: `SELECT id, bank_code AS code, logo, account_name AS "accountName", account_no AS "accountNo", branch,
        prompt_pay_id AS "promptPayId" FROM receiving_account ORDER BY id`,
  })
  const catalogueVersion = await findCatalogueVersion(db)
  const random = createRandom(2611)
  for (let day = DAYS; day > LIVED_DAYS; day--) {
    await db.transaction(async tx => {
      const times = Array.from({ length: ORDERS_PER_DAY }, () => random(DAY_MS - 3_600_000)).sort((a, b) => a - b)
      for (const time of times) {
        const at = new Date(now.getTime() - day * DAY_MS + time)
        const isByGateway = day <= GATEWAY_DAYS && random(3) === 0
        const method = isByGateway ? methodAt(random(5)) : null
        await insertPastOrder(tx, { ...offers[random(offers.length)]!, accounts, catalogueVersion, method }, at, random)
      }
    })
  }
}

interface Sold extends PackageToSell {
  accounts: StoredAccount[]
  catalogueVersion: number
  /** null for a transfer. */
  method: GatewayMethod | null
}

async function insertPastOrder(
  tx: Sql,
  { accounts, catalogueVersion, method, ...offer }: Sold,
  at: Date,
  random: (below: number) => number,
): Promise<void> {
  const isGuest = random(3) === 0
  // The first ones come most often.
  const buyer = isGuest ? guest : customers[Math.min(random(customers.length), random(customers.length))]!
  const buyerKey = isGuest ? `g:demo-${random(40)}` : `u:${buyer.uid}`
  const playerId = String(5_000_000_000 + random(900_000_000))
  const account = method ? null : accounts[random(accounts.length)]!
  const placed = placeOrder(
    {
      id: randomUUID(),
      orderNo: newOrderNo(at),
      buyerUid: buyer.uid,
      gameId: offer.gameId,
      packageId: offer.packageId,
      playerId,
      playerName: null,
      payment: method ?? 'bank',
      quantity: 1,
      priceSatang: offer.priceSatang,
      tailSatang: method ? 0 : 1 + random(99),
      costSatang: offer.costSatang,
      receivingAccountId: account?.id ?? null,
      walletId: null,
      creditId: null,
      creditSatang: 0,
    },
    15,
    buyer,
    at,
  )
  const isStored = await insertOrder(tx, {
    outcome: placed,
    catalogueVersion,
    trackToken: newTrackToken(),
    buyerKey,
    guestSlot: isGuest ? 1 : null,
    snapshot: {
      ...snapshotOf(offer),
      receivingAccount: account,
      fields: playerFieldsOf(offer).map(({ name, label }) => ({
        name,
        label,
        value: name === 'field1' ? playerId : String(1000 + random(9000)),
      })),
    },
    reservation: { amount: method ? null : 'new', tried: null, credit: null, codes: null, key: null },
    once: { scope: buyerKey, key: `demo-${uuidv7()}`, requestHash: 'demo' },
    isTold: false,
  })
  // Another order of that time may hold the amount by chance; then this order is left out.
  if (!isStored) return
  const [dice, worker] = [random(20), workers[random(workers.length)]!]
  const pay = async (): Promise<OrderOutcome> =>
    method
      ? takeByGateway(tx, placed.order, method)
      : markPaid(placed.order, worker, 'ตรวจยอดในบัญชีแล้ว', addSeconds(at, 180))
  const past = dice > 1 ? deliveryOf(await pay(), dice, worker, at) : [endOf(placed.order, dice, buyer, at)]
  for (const outcome of past) await saveOutcome(tx, outcome, outcome.event.at)
}

const snapshotOf = ({ gameName, gamePicture, packageName, usualMinutes }: PackageToSell) => ({
  gameName,
  gamePicture,
  packageName,
  usualMinutes,
  termsVersion: '1',
})

/** A few were cancelled or expired. */
const endOf = (order: Order, dice: number, buyer: Actor, at: Date): OrderOutcome =>
  dice === 0 ? cancelOrder(order, buyer, null, addSeconds(at, 120)) : expireOrder(order, order.expireAfter!)

/** Most were delivered. */
function deliveryOf(paid: OrderOutcome, dice: number, worker: Actor, at: Date): OrderOutcome[] {
  const claimed = claimOrder(paid.order, worker, addSeconds(at, 300))
  const reference = `MB-${10_000 + (at.getTime() % 90_000)}`
  return [paid, claimed, completeOrder(claimed.order, worker, reference, addSeconds(at, 360 + dice * 30))]
}
