import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { getToday } from '@shop/shared/backlog/endpoints.ts'
import { listGames } from '@shop/shared/catalogue/endpoints.ts'
import { type Client, createClient } from '@shop/shared/client.ts'
import { AppError } from '@shop/shared/errors.ts'
import { chargeOrder, confirmCharge } from '@shop/shared/order/charge-endpoints.ts'
import * as order from '@shop/shared/order/endpoints.ts'
import { claimOrders, listQueue } from '@shop/shared/order/queue-endpoints.ts'
import { feedStatementLines } from '@shop/shared/statement/import-endpoints.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { fixture } from 'functions/src/testing/fixture.ts'
import { headersOf } from '../bench/caller.ts'
import { drawSlip } from '../demo-slip.ts'
import { waitFor } from '../os-process.ts'
import type { Answers } from './figures.ts'
import { AGENTS, type WorkingShop } from './shop.ts'

const RECEIVER = { bankCode: '004', accountNo: '0123456789', name: 'บจก. คราม เติมเกม', promptPayId: '0812345678' }
const SENDING_BANK = '014'

/** What the shop acknowledged, and must still know in the end. */
export interface Acknowledged {
  /** Numbers of orders. */
  orders: Set<string>
  /** Of those, the ones whose money came. */
  paid: Set<string>
  /** Those that a member of staff delivered. */
  delivered: Set<string>
}

type Make<T> = (client: Client) => Promise<T>

/** Calls any server that lives, again and again with the same key, as a browser does, until one answers. */
function callerOf(site: WorkingShop, figures: Answers, headers: () => Record<string, string>) {
  return async function ask<T>(what: string, make: Make<T>): Promise<T> {
    for (const asked = performance.now(); ; ) {
      const live = site.live()
      const server = live[randomInt(live.length)]!
      const began = performance.now()
      try {
        const answer = await make(createClient({ baseUrl: server.origin, headers }))
        figures.answered(what, performance.now() - began, performance.now() - asked)
        return answer
      } catch (error) {
        if (!(error instanceof AppError) || error.status < 500) throw error
        figures.failed(what, error)
        await delay(200 + randomInt(600))
      }
    }
  }
}

/** Everybody who is at work in the shop, until they are told to stop. */
export function startPeople(site: WorkingShop, figures: Answers, workers: Record<string, Work> = PEOPLE) {
  const acknowledged: Acknowledged = { orders: new Set(), paid: new Set(), delivered: new Set() }
  let isOpen = true
  const people = { site, figures, acknowledged }
  const loops = Object.entries(workers).flatMap(([name, { count, restMs, work }]) =>
    Array.from({ length: count }, async (_, nth) => {
      await delay(randomInt(restMs))
      while (isOpen) {
        await work(people, nth).catch((error: unknown) => figures.refused(name, error))
        // Evenly around the rest, so that not all come at once.
        await delay(restMs / 2 + randomInt(restMs))
      }
    }),
  )
  return {
    acknowledged,
    /** Everybody ends what they began. */
    async stop() {
      isOpen = false
      await Promise.all(loops)
    },
  }
}

export interface People {
  site: WorkingShop
  figures: Answers
  acknowledged: Acknowledged
}
export interface Work {
  /** How many of them there are, and how long each rests on average. */
  count: number
  restMs: number
  work(people: People, nth: number): Promise<void>
}

export const PEOPLE = {
  guestBySlip: { count: 2, restMs: 4000, work: payBySlip },
  guestByLine: { count: 4, restMs: 3000, work: payByLine },
  guestByGateway: { count: 2, restMs: 4000, work: payByGateway },
  reseller: {
    count: AGENTS,
    restMs: 6000,
    work: (people, nth) => buyFromWallet(people, nth, pick(people.site.packageIds)),
  },
  staff: { count: 2, restMs: 2000, work: deliver },
  reader: { count: 3, restMs: 1500, work: lookAround },
} satisfies Record<string, Work>

const pick = <T>(list: readonly T[]): T => list[randomInt(list.length)]!
const newPlayer = () => String(5_000_000_000 + randomInt(2 ** 40))

function openGuest({ site, figures }: People) {
  const guestKey = randomBytes(24).toString('base64url')
  return callerOf(site, figures, () => ({ 'guest-key': guestKey }))
}

async function place(people: People, ask: ReturnType<typeof openGuest>) {
  const idempotencyKey = randomUUID()
  const body = {
    gameId: fixture.pubg.id,
    packageId: pick(people.site.packageIds),
    playerId: newPlayer(),
    receivingAccountId: fixture.accounts.promptPay,
    termsVersion: '1',
  }
  const placed = await ask('place', client => client.call(order.confirmPrice, { body, idempotencyKey }))
  people.acknowledged.orders.add(placed.orderNo)
  return placed
}

/** The bank's line of a transfer, sent by the machine that watches the account, until the shop has taken it. */
async function tellLine({ site, figures }: People, amountSatang: number, reference: string): Promise<void> {
  const ask = callerOf(site, figures, () => ({ 'x-feed-key': site.feedKey }))
  const lines = [{ at: new Date().toISOString(), amountSatang, reference }]
  await ask('line', client => client.call(feedStatementLines, { body: { accountNo: RECEIVER.accountNo, lines } }))
}

async function payBySlip(people: People): Promise<void> {
  const { site, acknowledged } = people
  const ask = openGuest(people)
  const { orderNo, amountSatang } = await place(people, ask)
  const reference = `SOAK${randomBytes(8).toString('hex').toUpperCase()}`
  const payer = { accountNo: '5551112222', name: 'นาย ทดลอง โอนไว' }
  const transfer = { sendingBank: SENDING_BANK, reference, amountSatang, at: new Date(), receiver: RECEIVER, payer }
  site.bank.add(transfer)
  const file = new Blob([new Uint8Array(await drawSlip(SENDING_BANK, reference, transfer))])
  const [uploadKey, reportKey] = [randomUUID(), randomUUID()]
  const { id: slipId } = await ask('upload', client => client.call(uploadSlip, { file, idempotencyKey: uploadKey }))
  await ask('report', client =>
    client.call(order.reportOrderTransfer, { params: { orderNo }, body: { slipId }, idempotencyKey: reportKey }),
  )
  acknowledged.paid.add(orderNo)
  await delay(randomInt(5000))
  await tellLine(people, amountSatang, reference)
}

async function payByLine(people: People): Promise<void> {
  const ask = openGuest(people)
  const { orderNo, amountSatang } = await place(people, ask)
  const idempotencyKey = randomUUID()
  await ask('report', client =>
    client.call(order.reportOrderTransfer, { params: { orderNo }, body: {}, idempotencyKey }),
  )
  await tellLine(people, amountSatang, randomUUID())
  people.acknowledged.paid.add(orderNo)
}

/** Longer than any answer of the shop is waited for. */
const CHARGE_MS = 120_000

async function payByGateway(people: People): Promise<void> {
  const { site, acknowledged } = people
  const ask = openGuest(people)
  const idempotencyKey = randomUUID()
  const sold = { gameId: fixture.pubg.id, packageId: pick(site.packageIds), playerId: newPlayer() }
  const body = { ...sold, payment: 'promptpay' as const, termsVersion: '1' }
  const { orderNo } = await ask('place', client => client.call(confirmCharge, { body, idempotencyKey }))
  acknowledged.orders.add(orderNo)
  await ask('charge', client => client.call(chargeOrder, { params: { orderNo }, body: { method: 'promptpay' } }))
  const { charges } = site.gateway.register
  const charge = await waitFor(
    () => [...charges.values()].find(({ description }) => description === orderNo),
    CHARGE_MS,
  )
  if (!charge) throw new Error(`Nothing collects ${orderNo}.`)
  await site.gateway.register.pay(charge.id)
  acknowledged.paid.add(orderNo)
}

/** Of the agents this is the `nth`, from 0. */
export async function buyFromWallet({ site, figures, acknowledged }: People, nth: number, packageId: number) {
  const ask = callerOf(site, figures, () => headersOf(`soak-${nth + 1}`))
  const idempotencyKey = randomUUID()
  const sold = { gameId: fixture.pubg.id, packageId, playerId: newPlayer(), quantity: 1 }
  const body = { ...sold, pin: '1234', termsVersion: '1' }
  const { orderNo } = await ask('wallet', client => client.call(order.confirmOrder, { body, idempotencyKey }))
  acknowledged.orders.add(orderNo)
  acknowledged.paid.add(orderNo)
}

/** Takes a few orders of the queue and delivers them. */
async function deliver({ site, figures, acknowledged }: People, nth: number): Promise<void> {
  const ask = callerOf(site, figures, () => headersOf(nth === 0 ? 'staff' : 'manager'))
  const { list } = await ask('queue', client => client.call(listQueue, { query: { group: 'open' } }))
  const orderNos = (list?.rows ?? []).filter(({ isHeld }) => !isHeld).map(({ orderNo }) => orderNo)
  const wanted = orderNos.slice(0, 8)
  if (wanted.length === 0) return
  await ask('claim', client => client.call(claimOrders, { body: { orderNos: wanted } }))
  const { list: mine } = await ask('queue', client => client.call(listQueue, { query: { group: 'mine' } }))
  for (const { orderNo } of mine?.rows ?? []) {
    const body = { orderNo, status: 'success' as const, deliveryReference: `SOAK-${orderNo}` }
    await ask('deliver', client => client.call(order.updateOrderStatus, { body })).catch((error: unknown) => {
      // Its answer was lost, and it had been done.
      if (!(error instanceof AppError) || error.code !== 'ORDER_STATUS_NOT_ALLOWED') throw error
    })
    acknowledged.delivered.add(orderNo)
  }
}

async function lookAround({ site, figures }: People): Promise<void> {
  const guest = callerOf(site, figures, () => ({}))
  const manager = callerOf(site, figures, () => headersOf('manager'))
  await guest('games', client => client.call(listGames, {}))
  await manager('orders', client => client.call(order.listAllOrders, { query: {} }))
  await manager('today', client => client.call(getToday, {}))
}
