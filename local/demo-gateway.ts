// The payment gateway in the demo shop's past: what it took for orders, and what it paid out.
import type { GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { invariant } from '@shop/shared/errors.ts'
import { beginCharge } from '@shop/shared/gateway/gateway.ts'
import { hearCharge } from '@shop/shared/order/charge.ts'
import type { Order, OrderOutcome } from '@shop/shared/order/order.ts'
import { decideStatementLine, listStatementLines } from '@shop/shared/statement/endpoints.ts'
import { getGatewayAccounts } from '@shop/shared/statement/gateway-account-endpoints.ts'
import { addSeconds, bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import type { Sql } from 'functions/src/database/database.ts'
import { insertCharge, saveCharge } from 'functions/src/gateway/store.ts'
import { postLedger } from 'functions/src/wallet/store.ts'
import { uuidv7 } from 'uuidv7'
import type { Act, DemoDesk } from './demo-desk.ts'
import type { Movement } from './demo-statement.ts'
import { feesOf } from './gateway/register.ts'

const GATEWAY = 'opn'
/** The account that it pays out to, and how the bank names it there. */
const PAYOUT_ACCOUNT = 1
const PAYOUT_DETAIL = 'รับโอนจาก OPN PAYMENTS CO LTD'
const PAYOUT_FEE_SATANG = 3000
/** How many days ago it paid out what it had taken until the day before; the last is of the days that are lived. */
const PAYOUT_DAYS = [23, 16, 9, 2] as const
/** Since so many days customers can pay through it. */
export const GATEWAY_DAYS = 30

/** PromptPay most often. */
const METHODS: readonly GatewayMethod[] = ['promptpay', 'promptpay', 'truemoney', 'promptpay', 'linepay']
/** By which of the gateway's methods a customer of the demo shop pays. */
export const methodAt = (nth: number): GatewayMethod => METHODS[nth % METHODS.length]!

/** Has the gateway take the money of an order of the past, half a minute after it was placed. Returns what that does to the order. */
export async function takeByGateway(tx: Sql, order: Order, method: GatewayMethod): Promise<OrderOutcome> {
  invariant(order.expiresAt, 'an unpaid order ends')
  const { id: orderId, priceSatang: amountSatang, createdAt, expiresAt } = order
  const id = uuidv7()
  const asked = { id, gateway: GATEWAY, method, surchargeSatang: 0, isLive: false } as const
  const charge = beginCharge({ orderId, topUpId: null, amountSatang, expiresAt }, asked, createdAt)
  const reference = `chrg_test_${id.replaceAll('-', '').slice(-19)}`
  const at = addSeconds(createdAt, 30)
  const { fee, tax } = feesOf(amountSatang)
  const state = { kind: 'paid', at, feeSatang: fee + tax } as const
  const told = { reference, chargeId: id, amountSatang, currency: 'thb', isLive: false, goneBack: null, state }
  const heard = hearCharge(charge, told, order, at)
  invariant(heard.pays && heard.ledger, 'money in time pays its order')
  await insertCharge(tx, { ...charge, byLink: false })
  await saveCharge(tx, { ...heard.charge, silentSince: null })
  await postLedger(tx, { ...heard.ledger, id: uuidv7(), subjectId: id, at })
  return heard.pays
}

/** Returns what came of the gateway on the bank's account before the days that are lived. */
export async function findPayouts(db: Pick<Sql, 'query'>, now: Date): Promise<Movement[]> {
  return Promise.all(
    PAYOUT_DAYS.slice(0, -1).map(async (days, nth) => {
      const [from, until] = [PAYOUT_DAYS[nth - 1] ?? GATEWAY_DAYS, days].map(each => daysBefore(now, each + 1))
      const [row] = await db.query<{ held: number }>({
        text: 'SELECT sum(amount_satang - fee_satang)::bigint AS held FROM charge WHERE paid_at >= $1 AND paid_at < $2',
        values: [from, until],
      })
      const at = daysBefore(now, days)
      return { accountId: PAYOUT_ACCOUNT, at, amountSatang: row!.held - PAYOUT_FEE_SATANG, detail: PAYOUT_DETAIL }
    }),
  )
}

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS)

/** A manager books each payout an hour after it came; the last comes while the shop's people live. */
export function payouts(desk: DemoDesk): Act[] {
  const minutes = (days: number) => (days * DAY_MS) / 60_000
  const last = minutes(PAYOUT_DAYS.at(-1)!)
  return [
    ...PAYOUT_DAYS.map(days => ({ ago: minutes(days) - 60, run: () => bookPayout(desk, 'demo-manager2') })),
    { ago: last, run: () => payOut(desk) },
  ]
}

/** The gateway pays out what it held when the day began. */
async function payOut(desk: DemoDesk): Promise<void> {
  const day = bangkokDay(desk.now())
  const { accounts } = await desk.as('demo-accountant').call(getGatewayAccounts, { query: { from: day, to: day } })
  const held = accounts.find(({ gateway }) => gateway === GATEWAY)!.openingSatang
  await desk.bankTells(PAYOUT_ACCOUNT, held - PAYOUT_FEE_SATANG, { detail: PAYOUT_DETAIL })
}

/** The oldest that waits. */
async function bookPayout(desk: DemoDesk, uid: string): Promise<void> {
  const { rows } = await desk.as(uid).call(listStatementLines, {
    query: { noSaleOrder: 'true', text: PAYOUT_DETAIL, page: 1, pageSize: 10 },
  })
  const { id, version } = rows[0]!
  const body = { step: 'bookPayout' as const, version, gateway: GATEWAY, feeSatang: PAYOUT_FEE_SATANG } as const
  await desk.as(uid).call(decideStatementLine, { params: { id }, body })
}
