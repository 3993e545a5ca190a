import type { EndpointInput, EndpointShape, Reply } from '@shop/shared/endpoint.ts'
import type { AppError } from '@shop/shared/errors.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import * as contract from '@shop/shared/statement/endpoints.ts'
import * as refunds from '@shop/shared/statement/refund-endpoints.ts'
import { LINE_STATE } from '@shop/shared/statement/statement.ts'
import { addSeconds } from '@shop/shared/time.ts'
import * as wallets from '@shop/shared/wallet/endpoints.ts'
import { expect, onTestFinished } from 'vitest'
import { expireOrders } from '../order/paying/expiry.ts'
import { buyByBank, codeOf } from '../testing/orders.ts'
import { type Random, testAtRandom } from '../testing/random.ts'
import { agreePayee } from '../testing/refunds.ts'
import { addAccount, createTestShop, onceKey, type TestShop } from '../testing/shop.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'
import { matchLines } from './matching.ts'

const BUYERS = 24
const WORKERS = 12
const MANAGERS = ['manager', 'manager2', 'admin']
/** What a run may be refused with; anything else, INTERNAL above all, is a fault. */
const EXPECTED = new Set([
  // Each step that sends names the account anew.
  'PAYEE_CHANGED',
  'OK',
  'CONFLICT',
  'LINE_STEP_NOT_ALLOWED',
  'LINE_TARGET_OVER',
  'LINE_TARGET_AMOUNT',
  'LINE_TARGET_TAKEN',
  'REASON_REQUIRED',
  'SAME_AMOUNT_ORDER',
  'ORDER_STATUS_NOT_ALLOWED',
  'ORDER_CLAIMED_BY_OTHER',
  'WALLET_NOT_FOUND',
  'WALLET_BALANCE_TOO_LOW',
  'REFUND_SENT',
  'UNPAID_ORDER_EXISTS',
  'TOP_UP_NOT_WAITING',
  'TOP_UP_HAS_LINE',
  'CREDIT_NEEDS_TWO',
  'ACCOUNT_AMOUNTS_EXHAUSTED',
  'TRANSFER_MAY_BE_USED',
  'SECOND_WORD_NEEDED',
])

let it: TestShop

/** One run of people who buy, pay and decide, all at once. */
function createRun({ seed, draw: random, below, pick, tell }: Random) {
  const buyers = Array.from({ length: BUYERS }, (_, n) => `buyer-${seed}-${n}`)
  const agents = [`agent-${seed}-1`, `agent-${seed}-2`]
  const codes = new Map<string, number>()
  const done = new Map<string, number>()
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

  async function send<E extends EndpointShape>(
    uid: string,
    endpoint: E,
    input: EndpointInput<E>,
  ): Promise<Reply<E> | null> {
    const [reply, code] = await it
      .as(uid)
      .call(endpoint, input)
      .then(
        result => [result, 'OK'] as const,
        (error: AppError) => [null, error.code] as const,
      )
    count(codes, code)
    tell(`${uid} ${endpoint.path} ${JSON.stringify(input)}: ${code}`)
    return reply
  }

  const rows = <T>(text: string) => it.db.query<T>({ text })
  const someOrder = async () =>
    pick(
      await rows<{ id: string; no: string; amount: number; account: number }>(
        `SELECT id, order_no AS no, price_satang + tail_satang AS amount, receiving_account_id AS account FROM orders
      WHERE buyer_uid LIKE 'buyer-${seed}-%' ORDER BY id DESC LIMIT 25`,
      ),
    )
  const someTopUp = async () =>
    pick(
      await rows<{ id: string; amount: number; version: number }>(
        `SELECT id, amount_satang AS amount, version FROM top_up ORDER BY id DESC LIMIT 10`,
      ),
    )

  async function buy() {
    const [buyer, receivingAccountId] = [pick(buyers)!, 1 + below(2)]
    const code = await codeOf(buyByBank(it.as(buyer), { receivingAccountId }))
    count(codes, code)
    tell(`${buyer} buys by account ${receivingAccountId}: ${code}`)
  }

  /** Money for an order or top-up, exact or not, on its account or another; or of nobody. */
  async function transfer() {
    const target = random() < 0.8 ? await someOrder() : await someTopUp()
    const wrong = random() < 0.3 ? below(400) - 200 : 0
    const amountSatang = Math.max(1, (target?.amount ?? 10_000) + wrong)
    const account = random() < 0.8 && target && 'account' in target ? (target.account as number) : 1 + below(2)
    await addLines(it, [lineOf({ amountSatang, at: addSeconds(it.clock.now, below(120) - 60) })], account)
    tell(`a line of ${amountSatang} comes on account ${account}`)
  }

  async function decide(
    states: string,
    chosen: (line: { id: string; version: number }) => Promise<object | null>,
    name: string,
  ) {
    const line = pick(
      await rows<{ id: string; version: number }>(
        `SELECT id, version FROM statement_line WHERE state IN (${states}) ORDER BY no DESC LIMIT 15`,
      ),
    )
    const wanted = line && (await chosen(line))
    if (!line || !wanted) return
    const body = { version: line.version, reason: 'ตรวจแล้ว', ...wanted } as never
    const input = { params: { id: line.id }, body, idempotencyKey: onceKey() }
    if (await send(pick(MANAGERS)!, contract.decideStatementLine, input)) count(done, name)
  }

  const match = () =>
    decide(
      `'unmatched'`,
      async () => {
        const [kind, target] = random() < 0.8 ? ['order', await someOrder()] : ['topUp', await someTopUp()]
        const overpaid = pick(['owe', 'credit', 'keep'])
        return target ? { step: 'match', target: { kind, id: target.id }, overpaid } : null
      },
      'match',
    )
  const undo = () => decide(`'matched', 'credited', 'owed', 'ignored'`, async () => ({ step: 'undo' }), 'undo')
  const owe = () => decide(`'unmatched'`, async () => ({ step: 'oweRefund', orderId: (await someOrder())?.id }), 'owe')
  const ignore = () => decide(`'unmatched'`, async () => ({ step: 'ignore' }), 'ignore')
  const credit = () =>
    decide(
      `'unmatched'`,
      async () => {
        const wallet = pick(await rows<{ id: string }>('SELECT id FROM wallet'))
        return wallet ? { step: 'creditWallet', walletId: wallet.id } : null
      },
      'credit',
    )

  async function changeOrder() {
    const order = await someOrder()
    const status = pick(['paid', 'processing', 'success', 'failed', 'refunded', 'refunded', 'cancel'] as const)!
    const body = { orderNo: order?.no ?? '', status, reason: 'ทดสอบ', deliveryReference: 'REF' }
    if (order && (await send(pick(MANAGERS)!, updateOrderStatus, { body }))) count(done, status)
  }

  async function sendRefund() {
    const owed = pick(await rows<{ id: string }>('SELECT id FROM owed_refund ORDER BY id DESC LIMIT 10'))
    const payeeVersion = owed ? await agreePayee(it, owed.id) : 0
    const body = { receivingAccountId: 1 + below(2), reference: 'โอนแล้ว', payeeVersion }
    const input = owed && { params: { id: owed.id }, body, idempotencyKey: onceKey() }
    if (input && (await send(pick(MANAGERS)!, refunds.sendOwedRefund, input))) count(done, 'sent')
  }

  async function topUp() {
    const agent = pick(agents)!
    const slipId = await addSlip(it, `u:${agent}`)
    const body = {
      amountSatang: 10_000 + below(5) * 100,
      slipId,
      ...(random() < 0.5 && { receivingAccountId: 1 + below(2) }),
    }
    await send(agent, wallets.saveTopUp, { body, idempotencyKey: onceKey() })
  }

  async function decideTopUp() {
    const found = await someTopUp()
    if (!found) return
    const once = { idempotencyKey: onceKey() }
    const uid = pick(MANAGERS)!
    if (random() < 0.2) await send(uid, wallets.correctTopUp, { body: { id: found.id, reason: 'ผิด' }, ...once })
    else {
      const status = random() < 0.8 ? ('approve' as const) : ('reject' as const)
      await send(uid, wallets.decideTopUp, {
        body: { id: found.id, version: found.version, status, reason: 'x' },
        ...once,
      })
    }
  }

  const matchByItself = async () => tell(`${await matchLines(it.shop)} lines are matched`)
  const wait = async () => {
    it.clock.advance(60)
    tell('a minute passes')
    await expireOrders(it.shop)
  }
  const steps = [
    buy,
    buy,
    buy,
    transfer,
    transfer,
    transfer,
    transfer,
    match,
    match,
    match,
    undo,
    undo,
    matchByItself,
    owe,
    ignore,
    credit,
    changeOrder,
    changeOrder,
    sendRefund,
    topUp,
    decideTopUp,
    wait,
  ]
  return { agents, buyers, codes, done, step: () => pick(steps)!() }
}

testAtRandom(
  'every line’s money stands in the books once after random interleaved steps',
  { size: 800, seeds: [1, 2] },
  async random => {
    const { size, isWhole } = random
    it = await createTestShop()
    onTestFinished(() => it.db.close())
    await addAccount(it, 'manager2', 'manager')
    const run = createRun(random)
    for (const uid of run.buyers) await addAccount(it, uid, 'customer')
    for (const uid of run.agents) await addAccount(it, uid, 'agent')
    // Who buys by transfer may have a wallet, too.
    for (const uid of [...run.agents, ...run.buyers.slice(0, 3)])
      await addWallet(it.db, { uid, balanceSatang: 0, pin: null, now: it.clock.now })
    let left = size
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        while (left-- > 0) await run.step()
      }),
    )

    expect([...run.codes.keys()].filter(code => !EXPECTED.has(code))).toEqual([])
    for (const kind of isWhole ? ['match', 'undo', 'owe', 'credit', 'refunded', 'sent'] : [])
      expect([kind, run.done.get(kind) ?? 0]).not.toEqual([kind, 0])
    expect((await checkLedger(it.db)).breaches).toEqual([])
    await expectBanksToHold(isWhole)
  },
)

/** Said in another way than the check says it: an account holds what its decided lines brought and what nobody has a line for. */
async function expectBanksToHold(isWhole: boolean) {
  const booked = Object.entries(LINE_STATE)
    .filter(([, { isBooked }]) => isBooked)
    .map(([state]) => state)
  const sums = await it.db.query<{ account: number; ledger: number; lines: number }>({
    text: `SELECT r.id AS account,
        (SELECT coalesce(-sum(amount_satang), 0)::bigint FROM ledger_entry WHERE account = 'bank:' || r.id) AS ledger,
        ((SELECT coalesce(sum(l.amount_satang), 0) FROM statement_line l LEFT JOIN top_up u ON u.id = l.top_up_id
            WHERE l.receiving_account_id = r.id AND l.state = ANY($1) AND u.status IS DISTINCT FROM 'waiting_approve')
          + (SELECT coalesce(sum(o.price_satang + o.tail_satang), 0) FROM orders o WHERE o.receiving_account_id = r.id
            AND o.paid_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM statement_line l WHERE l.order_id = o.id))
          + (SELECT coalesce(sum(u.amount_satang), 0) FROM top_up u WHERE u.receiving_account_id = r.id AND u.status = 'approve'
            AND u.corrected_at IS NULL AND NOT EXISTS (SELECT 1 FROM statement_line l WHERE l.top_up_id = u.id))
          - (SELECT coalesce(sum(f.amount_satang), 0) FROM owed_refund f WHERE f.sent_from_id = r.id))::bigint AS lines
      FROM receiving_account r ORDER BY r.id`,
    values: [booked],
  })
  expect(sums.map(({ account, ledger }) => [account, ledger])).toEqual(
    sums.map(({ account, lines }) => [account, lines]),
  )
  if (isWhole) expect(sums.some(({ ledger }) => ledger > 0)).toBe(true)
}
