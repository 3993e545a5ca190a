import { GATEWAY_METHODS, type GatewayMethod } from '@shop/shared/catalogue/payment-method.ts'
import { chargeOrder, confirmCharge } from '@shop/shared/order/charge-endpoints.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import type { GatewayName } from '@shop/shared/provider-names.ts'
import { type GatewayOptions, type RunningGateway, startGateway } from 'local/gateway/server.ts'
import type { Sql } from '../database/database.ts'
import type { ChargeAnswer, ChargeList, ChargeRequest, Gateway, ToldCharge } from '../gateway/provider.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { fixture } from './fixture.ts'
import { createTestShop, onceKey, type TestCaller, type TestShop } from './shop.ts'

/**
 * What goes wrong with the next call: the answer is lost before or after the work was done, it is a refusal, or the
 * server that asks dies meanwhile.
 */
export const GATEWAY_FAULTS = [
  'lostBefore',
  'lostAfter',
  'busy',
  'barred',
  'refused',
  'diesBefore',
  'diesAfter',
] as const
type GatewayFault = (typeof GATEWAY_FAULTS)[number]

/** A gateway in memory, with the state that the real one would keep. Its webhooks are sent by `hear`. */
interface MemoryGateway extends Gateway {
  charges: Map<string, ToldCharge>
  /** Taken one by one, by whatever is asked. */
  faults: GatewayFault[]
  /** What every call meets after these, as long as it lasts. */
  lasting: GatewayFault | null
  /** Whether lists leave out half of their charges, and say so. */
  listsHalf: boolean
  /** Whether charges come without what they are paid by. */
  hidesPay: boolean
  asked: number
  /** As the buyer would, in their bank's app; also of a charge that is over. */
  pay(reference: string, change?: Partial<ToldCharge>): void
  fail(reference: string): void
}

/** Of 1.65 % with 7 % tax. */
const feeOf = (amountSatang: number) => Math.round(amountSatang * 0.0165 * 1.07)

const LIMITS = { leastSatang: 2_000, mostSatang: 15_000_000 }

function createMemoryGateway(now: () => Date): MemoryGateway {
  const charges = new Map<string, ToldCharge>()
  const it: MemoryGateway = {
    name: 'opn',
    isLive: false,
    methods: { promptpay: LIMITS, truemoney: LIMITS, shopeepay: LIMITS, linepay: LIMITS },
    charges,
    faults: [],
    lasting: null,
    listsHalf: false,
    hidesPay: false,
    asked: 0,
    makesOnce: false,
    create: request => withFault(() => made(request)),
    read: async reference => withFault(() => told(reference)),
    end: async reference =>
      withFault(() => {
        const charge = charges.get(reference)
        if (charge && expiring(charge).state.kind === 'waiting') charge.state = { kind: 'failed', code: 'ended' }
        return told(reference)
      }),
    hear: (headers, rawBody) =>
      headers.get('signed') === 'yes' ? { reference: (JSON.parse(String(rawBody)) as { id: string }).id } : null,
    async list({ from, to }) {
      const fault = it.faults.shift() ?? it.lasting
      if (fault) return failure(fault)
      const all = [...charges.values()].filter(({ createdAt }) => createdAt >= from && createdAt <= to).map(expiring)
      const list: ChargeList = { kind: 'list', charges: all, isWhole: true }
      return it.listsHalf ? { ...list, charges: all.slice(0, Math.floor(all.length / 2)), isWhole: false } : list
    },
    standing: async () => ({ kind: 'ok' }),
    pay(reference, change = {}) {
      const charge = charges.get(reference)!
      Object.assign(charge, { state: { kind: 'paid', at: now(), feeSatang: feeOf(charge.amountSatang) }, ...change })
    },
    fail(reference) {
      charges.get(reference)!.state = { kind: 'failed', code: 'payment_rejected' }
    },
  }
  const expiries = new Map<string, Date>()
  const expiring = (charge: ToldCharge): ToldCharge => {
    const isOver = charge.state.kind === 'waiting' && expiries.get(charge.reference)! <= now()
    if (isOver) charge.state = { kind: 'expired' }
    return structuredClone(charge)
  }
  const told = (reference: string): ChargeAnswer => {
    const charge = charges.get(reference)
    if (!charge) return { kind: 'missing' }
    const shown = expiring(charge)
    if (it.hidesPay && shown.state.kind === 'waiting') shown.state.pay = null
    return { kind: 'charge', charge: shown }
  }
  function made({ chargeId, amountSatang, expiresAt }: ChargeRequest): ChargeAnswer {
    const reference = `chrg_test_${charges.size + 1}`
    const state = { kind: 'waiting', pay: { by: 'qr', svg: '<svg/>' }, expiresAt } as const
    charges.set(reference, {
      reference,
      chargeId,
      amountSatang,
      currency: 'thb',
      isLive: false,
      createdAt: now(),
      goneBack: null,
      state,
    })
    expiries.set(reference, expiresAt)
    return told(reference)
  }
  const failure = (fault: GatewayFault) => {
    if (fault === 'diesBefore' || fault === 'diesAfter') throw new Error('the server died')
    return fault === 'busy'
      ? ({ kind: 'busy', retryAt: null } as const)
      : fault === 'barred' || fault === 'refused'
        ? ({ kind: fault, code: null } as const)
        : ({ kind: 'silent' } as const)
  }
  async function withFault(work: () => ChargeAnswer): Promise<ChargeAnswer> {
    it.asked++
    const fault = it.faults.shift() ?? it.lasting
    if (fault === null) return work()
    if (fault === 'lostAfter' || fault === 'diesAfter') work()
    return failure(fault)
  }
  return it
}

/** A shop with a gateway whose methods are all on. */
export interface GatewayShop extends TestShop {
  gateway: MemoryGateway
  /** Runs the jobs that are due by the shop's clock. */
  drain(): Promise<void>
  /** Sends the gateway's message about a charge. */
  hear(reference: string, headers?: Record<string, string>): Promise<number>
}

/** As the owner of the shop would have done. */
async function switchMethodsOn({ db }: TestShop): Promise<void> {
  await db.query({
    text: `INSERT INTO payment_method (code, name, position, is_on) SELECT code, code, 3, true FROM unnest($1::text[]) AS m (code)`,
    values: [GATEWAY_METHODS],
  })
  await db.query({ text: 'UPDATE catalogue_version SET version = version + 1' })
}

/** A shop whose own client of a gateway asks a stand-in, which tells the shop by webhooks. */
export interface StandInShop extends TestShop {
  standIn: RunningGateway
  /** How the shop answered each webhook. */
  heard: number[]
  drain(): Promise<void>
  stop(): Promise<void>
}

export async function createStandInShop(
  name: GatewayName,
  { env = {}, ...options }: { env?: Record<string, string> } & Pick<GatewayOptions, 'slowMs' | 'tell'> = {},
): Promise<StandInShop> {
  const parts: { it?: TestShop } = {}
  const heard: number[] = []
  const tell: GatewayOptions['tell'] = async message => {
    const reply = await parts.it!.request(`/gateway/hear/${name}`, { method: 'POST', ...message })
    heard.push(reply.status)
  }
  const standIn = await startGateway({
    name,
    port: 0,
    now: () => parts.it?.clock.now ?? new Date(),
    tell,
    ...options,
  })
  const it = await createTestShop({ ...standIn.environment, ...env })
  parts.it = it
  await switchMethodsOn(it)
  const drain = openDrain(it.shop)
  const stop = async () => void (await Promise.all([standIn.stop(), it.db.close()]))
  return { ...it, standIn, heard, drain: () => drain.run(), stop }
}

export async function createGatewayShop(env: Record<string, string> = {}): Promise<GatewayShop> {
  const it = await createTestShop(env)
  const gateway = createMemoryGateway(() => it.clock.now)
  it.shop.gateway = gateway
  await switchMethodsOn(it)
  const drain = openDrain(it.shop)
  let message = 0
  return {
    ...it,
    gateway,
    drain: () => drain.run(),
    async hear(reference, headers = { signed: 'yes' }) {
      const body = JSON.stringify({ id: reference, message: ++message })
      return (await it.request('/gateway/hear/opn', { method: 'POST', headers, body })).status
    },
  }
}

/** What became of each paid charge: whether it has paid its order, and how often it is owed. One of both it must be. */
export const findPayments = (db: Sql): Promise<{ reference: string; orderId: string; pays: number; owed: number }[]> =>
  db.query({
    text: `SELECT c.reference, c.order_id AS "orderId",
        (SELECT count(*)::int FROM owed_refund f WHERE f.charge_id = c.id AND f.amount_satang = c.amount_satang) AS owed,
        CASE WHEN EXISTS (SELECT FROM ledger_transaction t WHERE t.subject_id = c.id AND t.kind = 'charge_owed') THEN 0 ELSE 1 END AS pays
      FROM charge c WHERE c.state = 'paid'`,
  })

let players = 0

/** Buys a package by a method of the gateway; the order then waits for a charge. */
export const buyByGateway = (caller: TestCaller, payment: GatewayMethod = 'promptpay', idempotencyKey = onceKey()) =>
  caller.call(confirmCharge, {
    body: {
      gameId: fixture.pubg.id,
      packageId: fixture.pubg.package,
      playerId: String(5_700_000_000 + ++players),
      payment,
      termsVersion: '1',
    },
    idempotencyKey,
  })

/** Makes the shop hear what the gateway says about a charge. */
export async function tell(it: GatewayShop, reference: string): Promise<void> {
  await it.hear(reference)
  await it.drain()
}

/**
 * A guest buys by the gateway and pays. @param isLate whether the order was cancelled before
 * @param knowsFee whether the gateway tells its fee with the payment
 */
export async function payByGateway(
  it: GatewayShop,
  {
    method = 'promptpay',
    isLate = false,
    knowsFee = true,
  }: { method?: GatewayMethod; isLate?: boolean; knowsFee?: boolean } = {},
): Promise<{ orderNo: string; reference: string }> {
  const guest = it.as(null)
  const { orderNo } = await buyByGateway(guest, method)
  await guest.call(chargeOrder, { params: { orderNo }, body: { method } })
  const reference = [...it.gateway.charges.keys()].at(-1)!
  if (isLate) await guest.call(updateOrderStatus, { body: { orderNo, status: 'cancel' } })
  it.gateway.pay(reference, knowsFee ? {} : { state: { kind: 'paid', at: it.clock.now, feeSatang: null } })
  await tell(it, reference)
  return { orderNo, reference }
}
