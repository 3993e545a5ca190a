import { confirmCredit } from '@shop/shared/credit/endpoints.ts'
import type { EndpointInput, EndpointShape, Reply } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as orders from '@shop/shared/order/endpoints.ts'
import type { Role } from '@shop/shared/permissions.ts'
import { decideStatementLine, type LineDecision } from '@shop/shared/statement/endpoints.ts'
import { importStatementFile, readStatementFile } from '@shop/shared/statement/import-endpoints.ts'
import { callOf } from '../../call/route.ts'
import { fixture } from '../fixture.ts'
import { addAccount, onceKey, type TestCaller } from '../shop.ts'
import { type FileMovement, scbFile } from '../statement.ts'
import { addSlip, addWallet } from '../wallet.ts'
import { DEAR, type WeekShop } from './shop.ts'

/** Who of the back office tries it. */
export const THIEF_ROLES = ['staff', 'manager', 'admin', 'accountant'] as const satisfies readonly Role[]
export type ThiefRole = (typeof THIEF_ROLES)[number]

/** Somebody or something in a thief's hands: calls that the shop refuses are null. */
export interface Hand {
  do<E extends EndpointShape>(endpoint: E, input: EndpointInput<E>): Promise<Reply<E> | null>
}

export interface PlacedOrder {
  orderNo: string
  id: string
  amountSatang: number
  buyer: TestCaller
}

export interface PuppetWallet {
  uid: string
  walletId: string
  hand: Hand
}

/**
 * One person who tries one way through the week, with what is theirs: browsers without an account, wallets of friends,
 * players. What they took is counted by `findLoot`.
 */
export interface Thief extends Hand {
  it: WeekShop
  uid: string
  role: ThiefRole
  /** Of the week, from 0. */
  day: number
  /** Goods sent to such players are theirs; they begin with `playerMark`. */
  playerId(): string
  playerMark: string
  /** Calls that they or their puppets made, as `callOf` names them. */
  called: Set<string>
  /** When they did something on this day, oldest first. */
  acts: Date[]
  /** What the shop refused them with. */
  refused: Set<string>
  /** Numbers of orders that they or their puppets made, whoever's account they used. */
  orders: Set<string>
  /** Accounts that are theirs and their puppets'; not those that they broke into, where only what leaves is taken. */
  accounts: Set<string>
  /** A bank account of theirs. */
  payee: { bankCode: string; accountNo: string; accountName: string }
  /** Money that they truly brought. */
  broughtSatang: number
  /** Words of which a message about what they did holds one. */
  marks: Set<string>
  /** What was made on another day and is used on a later one. */
  kept: Map<string, string>
  handOf(caller: TestCaller): Hand
  /** An order of the dear package, or another; of a new guest where nobody is named. */
  order(change?: Record<string, unknown>, buyer?: TestCaller): Promise<PlacedOrder>
  /** An order of somebody who knows nothing of them, for a player of their own. */
  strangersOrder(buyer?: TestCaller): Promise<PlacedOrder>
  /** Truly pays for an order. */
  pay(order: PlacedOrder): Promise<void>
  /** Tells the shop that an order has another state. */
  set(order: Pick<PlacedOrder, 'orderNo'>, status: string, more?: Record<string, unknown>): Promise<unknown>
  /** A friend's wallet, with money that was truly brought. */
  wallet(balanceSatang?: number): Promise<PuppetWallet>
  /** Buys the dear package, or another, from a wallet. */
  spend(hand: Hand, pin: string, change?: Record<string, unknown>): Promise<unknown>
  /** A slip that some wallet's owner uploaded; nobody checks it with a bank. */
  slip(uid: string): Promise<string>
  /** Decides about a bank's line. */
  decide(lineId: string, decision: Record<string, unknown>): Promise<unknown>
  /** Gives the shop a bank file of one's own making; its id where it was taken in. */
  giveFile(
    account: { id: number; no: string },
    movements: FileMovement[],
    openingSatang: number,
  ): Promise<string | null>
}

const PURCHASES: readonly EndpointShape[] = [orders.confirmPrice, orders.confirmOrder, confirmCredit]
const isPurchase = (endpoint: EndpointShape): boolean => PURCHASES.includes(endpoint)

export interface ThiefOf {
  role: ThiefRole
  /** Tells all thieves of a shop apart. */
  no: number
}

export async function openThief(it: WeekShop, { role, no }: ThiefOf): Promise<Thief> {
  const uid = `${role}-${100 + no}`
  await addAccount(it, uid, role)
  const [called, refused] = [new Set<string>(), new Set<string>()]
  const handOf = (caller: TestCaller): Hand => ({
    do: (endpoint, input) => {
      called.add(callOf(endpoint))
      thief.acts.push(it.clock.now)
      const answer = caller.call(endpoint, input).then(reply => {
        if (isPurchase(endpoint)) thief.orders.add((reply as { orderNo: string }).orderNo)
        return reply
      })
      return answer.catch((error: unknown) => {
        // A call that says nothing the shop understands would prove nothing.
        if (!(error instanceof AppError) || error.status >= 500 || error.code === 'INVALID_INPUT') throw error
        refused.add(error.code)
        return null
      })
    },
  })
  const players = { made: 0 }
  const thief: Thief = {
    it,
    uid,
    role,
    day: 0,
    acts: [],
    called,
    refused,
    handOf,
    broughtSatang: 0,
    kept: new Map(),
    orders: new Set<string>(),
    accounts: new Set<string>(),
    payee: { bankCode: '004', accountNo: `${100 + no}4445556`, accountName: uid },
    marks: new Set([uid]),
    do: (endpoint, input) => handOf(it.as(uid)).do(endpoint, input),
    playerMark: `${100 + no}`,
    playerId: () => `${thief.playerMark}${String(++players.made).padStart(6, '0')}`,
    async order(change, buyer) {
      const placed = await placeOrder(thief, change, buyer)
      thief.orders.add(placed.orderNo)
      return placed
    },
    strangersOrder: buyer => placeOrder(thief, { playerId: String(5_400_000_000 + Number(thief.playerId())) }, buyer),
    async pay({ amountSatang }) {
      await it.bankTells(fixture.accounts.promptPay, amountSatang)
      thief.broughtSatang += amountSatang
    },
    set: ({ orderNo }, status, more = {}) =>
      thief.do(orders.updateOrderStatus, {
        body: { orderNo, status: status as 'paid', reason: 'ตรวจแล้ว', deliveryReference: 'REF', ...more },
      }),
    wallet: balanceSatang => openWallet(thief, balanceSatang),
    spend: (hand, pin, change) => spendFrom(thief, hand, { pin, ...change }),
    slip: owner => addSlip(it, `u:${owner}`),
    decide: (lineId, decision) => decideLine(thief, lineId, decision),
    giveFile: (account, movements, openingSatang) => giveFile(thief, account, movements, openingSatang),
  }
  return thief
}

async function placeOrder(
  thief: Thief,
  change: Record<string, unknown> = {},
  buyer = thief.it.as(null),
): Promise<PlacedOrder> {
  const { it } = thief
  const body = {
    gameId: fixture.pubg.id,
    packageId: await orderedBy(thief),
    playerId: thief.playerId(),
    termsVersion: '1',
    receivingAccountId: fixture.accounts.promptPay,
    ...change,
  }
  thief.called.add(callOf(orders.confirmPrice))
  const { orderNo, amountSatang } = await buyer.call(orders.confirmPrice, { body, idempotencyKey: onceKey() })
  thief.marks.add(orderNo)
  const [row] = await it.db.query<{ id: string }>({
    text: 'SELECT id FROM orders WHERE order_no = $1',
    values: [orderNo],
  })
  return { orderNo, amountSatang, buyer, id: row!.id }
}

/** A package worth as much at a price of the thief's own: transfers of one amount at one moment may be the same. */
async function orderedBy({ it, uid, kept }: Thief): Promise<number> {
  const known = kept.get('ordered')
  if (known) return Number(known)
  const priceSatang = DEAR.priceSatang - Number(uid.slice(-2)) * 100
  const id = await it.addPackage(`8100 UC ${uid}`, { ...DEAR, priceSatang })
  kept.set('ordered', String(id))
  return id
}

const dears = new WeakMap<WeekShop, Promise<number>>()
/** The package that is worth most, the same for everybody. */
function dearOf(it: WeekShop): Promise<number> {
  const known = dears.get(it) ?? it.addPackage('8100 UC')
  dears.set(it, known)
  return known
}

async function openWallet(thief: Thief, balanceSatang = 0): Promise<PuppetWallet> {
  const { it, uid: of, accounts } = thief
  const uid = `${of}-friend-${accounts.size}`
  await addAccount(it, uid, 'agent')
  const walletId = await addWallet(it.db, { uid, balanceSatang, pin: '1234', now: it.clock.now })
  accounts.add(uid)
  thief.broughtSatang += balanceSatang
  return { uid, walletId, hand: thief.handOf(it.as(uid)) }
}

async function spendFrom(thief: Thief, hand: Hand, change: { pin: string } & Record<string, unknown>) {
  const packageId = await dearOf(thief.it)
  const bought = { gameId: fixture.pubg.id, packageId, playerId: thief.playerId(), termsVersion: '1', ...change }
  return hand.do(orders.confirmOrder, { body: bought, idempotencyKey: onceKey() })
}

async function decideLine(thief: Thief, id: string, decision: Record<string, unknown>) {
  const [row] = await thief.it.db.query<{ version: number }>({
    text: 'SELECT version FROM statement_line WHERE id = $1',
    values: [id],
  })
  const body = { version: row!.version, reason: 'ลูกค้าแจ้งมา', ...decision } as LineDecision
  return thief.do(decideStatementLine, { params: { id }, body, idempotencyKey: onceKey() })
}

async function giveFile(
  thief: Thief,
  account: { id: number; no: string },
  movements: FileMovement[],
  openingSatang: number,
): Promise<string | null> {
  const file = scbFile(movements, openingSatang, account.no)
  const read = await thief.do(readStatementFile, { params: { receivingAccountId: account.id }, file })
  if (!read) return null
  const { fileId } = read
  const body = { mapping: null, remember: false, acceptsGap: true }
  const input = { params: { fileId }, body, idempotencyKey: onceKey() }
  return (await thief.do(importStatementFile, input)) && fileId
}
