// 60 days of past bank orders, made by the shop's own decisions so that states, events and ledger agree.
import { randomUUID } from 'node:crypto'
import { type PlayerInputs, playerFieldsOf } from '@shop/shared/catalogue/catalogue.ts'
import { cancelOrder, expireOrder, type Order, type OrderOutcome, placeOrder } from '@shop/shared/order/order.ts'
import { STAFF_COMMAND, type StaffCommand } from '@shop/shared/order/staff-command.ts'
import type { Actor } from '@shop/shared/order/status.ts'
import { addSeconds, DAY_MS } from '@shop/shared/time.ts'
import { findCatalogueVersion } from 'functions/src/catalogue/snapshot.ts'
import type { StoredAccount } from 'functions/src/catalogue/tables.ts'
import type { Database, Sql } from 'functions/src/database/database.ts'
import { newOrderNo, newTrackToken } from 'functions/src/order/placing.ts'
import { insertOrder } from 'functions/src/order/placing-store.ts'
import { saveOutcome } from 'functions/src/order/store.ts'
import type { OrderSnapshot } from 'functions/src/order/tables.ts'
import { uuidv7 } from 'uuidv7'

const DAYS = 60
const ORDERS_PER_DAY = 8
const customer: Actor = { uid: 'demo-customer', role: 'customer' }
const guest: Actor = { uid: null, role: 'guest' }
const staff: Actor = { uid: 'demo-staff', role: 'staff' }
const manager: Actor = { uid: 'demo-manager', role: 'manager' }

interface PackageToSell
  extends PlayerInputs,
    Pick<OrderSnapshot, 'gameName' | 'gamePicture' | 'packageName' | 'usualMinutes'> {
  gameId: number
  packageId: number
  priceSatang: number
}

/** Random numbers from a fixed seed, so that every demo shop has the same past. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export async function insertDemoOrders(db: Database): Promise<void> {
  const offers = await db.query<PackageToSell>({
    text: `SELECT g.id AS "gameId", p.id AS "packageId", p.name AS "packageName", g.fields_on AS "fieldsOn", g.field_labels AS "fieldLabels",
        g.field_formats AS "fieldFormats", g.name AS "gameName", g.picture AS "gamePicture", r.price_satang AS "priceSatang",
        json_build_object('from', g.usual_minutes_from, 'to', g.usual_minutes_to) AS "usualMinutes"
      FROM package p JOIN game g ON g.id = p.game_id JOIN package_price r ON r.package_id = p.id AND r.payment = 'bank'
      ORDER BY p.id`,
  })
  const accounts = await db.query<StoredAccount>({
    text: `SELECT id, bank_code AS code, logo, account_name AS "accountName", account_no AS "accountNo", branch,
        prompt_pay_id AS "promptPayId" FROM receiving_account ORDER BY id`,
  })
  const random = createRandom(2611)
  const today = Date.now()
  for (let day = DAYS; day >= 1; day--) {
    await db.transaction(async tx => {
      for (let index = 0; index < ORDERS_PER_DAY; index++) {
        const at = new Date(today - day * DAY_MS + random(DAY_MS - 3_600_000))
        await insertPastOrder(tx, { ...offers[random(offers.length)]!, accounts }, at, random)
      }
    })
  }
}

async function insertPastOrder(
  tx: Sql,
  { accounts, ...offer }: PackageToSell & { accounts: StoredAccount[] },
  at: Date,
  random: (below: number) => number,
): Promise<void> {
  const isGuest = random(3) === 0
  const buyer = isGuest ? guest : customer
  const buyerKey = isGuest ? `g:demo-${random(40)}` : 'u:demo-customer'
  const playerId = String(5_000_000_000 + random(900_000_000))
  const { gameName, gamePicture, packageName, usualMinutes } = offer
  const account = accounts[random(accounts.length)]!
  const placed = placeOrder(
    {
      id: randomUUID(),
      orderNo: newOrderNo(at),
      buyerUid: buyer.uid,
      gameId: offer.gameId,
      packageId: offer.packageId,
      playerId,
      playerName: null,
      payment: 'bank',
      quantity: 1,
      priceSatang: offer.priceSatang,
      tailSatang: 1 + random(99),
      costSatang: null,
      receivingAccountId: account.id,
      walletId: null,
    },
    15,
    buyer,
    at,
  )
  const isStored = await insertOrder(tx, {
    outcome: placed,
    catalogueVersion: await findCatalogueVersion(tx),
    trackToken: newTrackToken(),
    buyerKey,
    guestSlot: isGuest ? 1 : null,
    snapshot: {
      gameName,
      gamePicture,
      packageName,
      usualMinutes,
      receivingAccount: account,
      fields: playerFieldsOf(offer).map(({ name, label }) => ({
        name,
        label,
        value: name === 'field1' ? playerId : String(1000 + random(9000)),
      })),
      termsVersion: '1',
    },
    reservation: { on: 'amount' },
    once: { scope: buyerKey, key: `demo-${uuidv7()}`, requestHash: 'demo' },
    isTold: false,
  })
  // Another order of that time may hold the amount by chance; then this order is left out.
  if (!isStored) return
  for (const outcome of pastOf(placed.order, random(20), at)) await saveOutcome(tx, outcome, outcome.event.at)
}

/** What became of an order: most were delivered, a few cancelled, expired, failed or refunded. */
function pastOf(order: Order, dice: number, at: Date): OrderOutcome[] {
  if (dice === 0) return [cancelOrder(order, customer, null, addSeconds(at, 120))]
  if (dice === 1) return [expireOrder(order, order.expireAfter!)]
  const outcomes: OrderOutcome[] = []
  let current = order
  const step = (command: StaffCommand, seconds: number, text: string | null = null) => {
    const by = command === 'refund' ? manager : staff
    const input = { reason: text, deliveryReference: text }
    const outcome = STAFF_COMMAND[command].decide(
      current,
      input,
      { actor: by, shortSatang: 0, lapsedClaim: null },
      addSeconds(at, seconds),
    )
    outcomes.push(outcome)
    current = outcome.order
  }
  step('markPaid', 180, 'ตรวจยอดในบัญชีแล้ว')
  step('claim', 300)
  if (dice > 3) step('complete', 600, `MB-${10_000 + (at.getTime() % 90_000)}`)
  else step('fail', 600, 'ไอดีผู้เล่นไม่ถูกต้อง')
  if (dice === 3) step('refund', 3600, 'เติมให้ไม่ได้ ลูกค้าขอเงินคืน')
  return outcomes
}
