import { createClient } from '@shop/shared/client.ts'
import type { EndpointInput, EndpointShape, Reply } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { decideStatementLine } from '@shop/shared/statement/endpoints.ts'
import { matchStatementLines } from '@shop/shared/statement/import-endpoints.ts'
import { correctTopUp, decideTopUp, getTopUpForStaff, saveTopUp } from '@shop/shared/wallet/endpoints.ts'
import type { Transfer } from 'local/slip-provider/register.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { matchStatements } from '../statement/matching.ts'
import { buyByBank, report } from '../testing/orders.ts'
import { randomFrom, testAtRandom } from '../testing/random.ts'
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts'
import { addAccount, onceKey, tokenFor } from '../testing/shop.ts'
import { createSlipShop, GENEROUS, type SlipShop, transferOf } from '../testing/slips.ts'
import { addLines, lineOf } from '../testing/statement.ts'
import { addSlip, addWallet } from '../testing/wallet.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

const PROCESSES = 4
const STEPS = 36
const ACCOUNTS = [1, 2]
/** What a step may be refused with; anything else, INTERNAL above all, is a fault. */
const EXPECTED = new Set([
  'OK',
  'CONFLICT',
  'TRANSFER_MAY_BE_USED',
  'SLIP_PAID_OTHER',
  'SLIP_REUSED',
  'LINE_STEP_NOT_ALLOWED',
  'LINE_TARGET_OVER',
  'LINE_TARGET_AMOUNT',
  'TOP_UP_NOT_WAITING',
  'TOP_UP_HAS_LINE',
  'ORDER_STATUS_NOT_ALLOWED',
  'WALLET_BALANCE_TOO_LOW',
  'SAME_AMOUNT_ORDER',
  'LINE_TARGET_TAKEN',
  'REASON_REQUIRED',
])

let it: SlipShop
const servers: ServerProcess[] = []
beforeAll(async () => {
  it = await createSlipShop('slipok')
  const env = { ...GENEROUS, ...it.bank.environment, SLIP_PROVIDER: 'slipok' }
  // One after the other: together they are slow to start.
  while (servers.length < PROCESSES) servers.push(await startServerProcess(it.databaseUrl, env))
  // What one person may decide alone in a day is not what is tried here.
  await it.db.query({
    text: `INSERT INTO option (name, value) VALUES ('TWO_PERSON_APPROVAL_AMOUNT', '9000000')
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  })
})
afterAll(async () => {
  await Promise.all(servers.map(server => server.stop()))
  await it.stop()
})

/** One order and some top-ups of its very amount, with transfers of it, their lines and slips; all comes at once. */
function createRun(seed: number, tell: (what: string) => void) {
  const random = randomFrom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)]
  const [buyer, agent] = [`buyer-${seed}`, `agent-${seed}`]
  const codes = new Set<string>()
  const transfers: { transfer: Transfer; isWritten: boolean }[] = []
  const account = ACCOUNTS[seed % 2]!
  let amountSatang = 0
  let orderNo = ''

  /** A call of one of the processes; null where it was refused. */
  async function send<E extends EndpointShape>(
    uid: string,
    endpoint: E,
    input: EndpointInput<E>,
  ): Promise<Reply<E> | null> {
    const headers = () => ({ authorization: `Bearer ${tokenFor(uid, new Date())}` })
    const client = createClient({ baseUrl: pick(servers)!.url, headers })
    const [reply, code] = await client.call(endpoint, input).then(
      answer => [answer, 'OK'] as const,
      (error: unknown) => [null, error instanceof AppError ? error.code : String(error)] as const,
    )
    codes.add(code)
    tell(`${uid} ${endpoint.path} ${JSON.stringify(input)}: ${code}`)
    return reply
  }

  async function begin(): Promise<void> {
    it.clock.now = new Date()
    await addAccount(it, buyer, 'customer')
    await addAccount(it, agent, 'agent')
    await addWallet(it.db, { uid: agent, balanceSatang: 0, pin: null, now: it.clock.now })
    const order = await buyByBank(it.as(buyer), { receivingAccountId: account })
    amountSatang = order.amountSatang
    orderNo = order.orderNo
    for (let n = 0; n <= below(3); n++) pay()
  }
  function pay(): void {
    const receiver = account === 1 ? {} : { receiver: SECOND }
    const transfer = transferOf(it, amountSatang, { at: new Date(), ...receiver })
    it.bank.add(transfer)
    transfers.push({ transfer, isWritten: false })
    tell(`${transfer.reference} of ${amountSatang} is sent to account ${account}`)
  }
  const slipOf = (uid: string) => {
    const made = random() < 0.8 ? pick(transfers) : undefined
    return addSlip(it, `u:${uid}`, made ? made.transfer.reference : `drawn ${seed} ${below(3)}`)
  }
  const lines = () =>
    it.db.query<{ id: string; version: number; state: string }>({
      text: 'SELECT id, version, state FROM statement_line WHERE amount_satang = $1 AND receiving_account_id = $2',
      values: [amountSatang, account],
    })
  const topUps = () =>
    it.db.query<{ id: string; status: string }>({
      text: 'SELECT u.id, u.status FROM top_up u JOIN wallet w ON w.id = u.wallet_id WHERE w.uid = $1',
      values: [agent],
    })
  async function decide(states: string[], step: object): Promise<void> {
    const line = pick((await lines()).filter(({ state }) => states.includes(state)))
    if (!line) return
    const body = { version: line.version, reason: 'ตรวจแล้ว', ...step } as never
    await send('manager', decideStatementLine, { params: { id: line.id }, body, idempotencyKey: onceKey() })
  }

  const steps: (() => Promise<unknown>)[] = [
    async () => {
      const slipId = random() < 0.7 ? await slipOf(agent) : null
      const body = { amountSatang, slipId, receivingAccountId: account }
      await send(agent, saveTopUp, { body, idempotencyKey: onceKey() })
    },
    async () => report(it.as(buyer), orderNo, await slipOf(buyer)).catch((error: AppError) => codes.add(error.code)),
    async () => {
      const made = pick(transfers.filter(({ isWritten }) => !isWritten))
      if (!made) return
      made.isWritten = true
      tell(`the line of ${made.transfer.reference} comes`)
      await addLines(it, [lineOf({ amountSatang, at: made.transfer.at, precisionSeconds: 1 })], account)
    },
    () => send('manager', matchStatementLines, { body: { receivingAccountId: account } }),
    () => it.drain(),
    // A manager approves what the screen shows as clear.
    async () => {
      const waiting = pick((await topUps()).filter(({ status }) => status === 'waiting_approve'))
      const seen = waiting && (await send('manager', getTopUpForStaff, { params: { id: waiting.id } }))
      if (!seen || (!seen.statementLine && seen.slipVerdict?.state !== 'confirmed')) return
      const body = { id: seen.id, version: seen.version, status: 'approve' as const, reason: 'ตรวจแล้ว' }
      await send('manager', decideTopUp, { body, idempotencyKey: onceKey() })
    },
    async () => {
      const [wallet] = await it.db.query<{ id: string }>({
        text: 'SELECT id FROM wallet WHERE uid = $1',
        values: [agent],
      })
      await decide(['unmatched'], { step: 'creditWallet', walletId: wallet!.id })
    },
    () => decide(['unmatched'], { step: 'oweRefund' }),
    () => decide(['matched', 'credited', 'owed'], { step: 'undo' }),
    () => send('manager', updateOrderStatus, { body: { orderNo, status: 'paid', reason: 'เห็นเงินเข้า' } }),
    () => send('manager', updateOrderStatus, { body: { orderNo, status: 'refunded', reason: 'คืนเงิน' } }),
    async () => {
      const done = pick((await topUps()).filter(({ status }) => status === 'approve'))
      if (!done || random() < 0.6) return
      await send('manager', correctTopUp, { body: { id: done.id, reason: 'ผิด' }, idempotencyKey: onceKey() })
    },
  ]
  /** Uses that a line or a confirmed slip shows, of this amount, against transfers that were made. */
  async function outcome(): Promise<{ proven: number; came: number }> {
    const [row] = await it.db.query<{ proven: number }>({
      text: `SELECT count(*)::int AS proven FROM used_transfer u LEFT JOIN statement_line l ON l.id = u.line_id
        WHERE u.amount_satang = $1 AND (u.line_id IS NOT NULL OR u.told_at IS NOT NULL)
          AND coalesce(l.receiving_account_id, u.receiving_account_id) = $2 AND u.used_at >= $3`,
      values: [amountSatang, account, transfers[0]!.transfer.at],
    })
    return { proven: row!.proven, came: transfers.length }
  }
  // What brings money comes oftener than what takes it back.
  const weights = [3, 2, 4, 3, 3, 4, 1, 1, 1, 1, 1, 1]
  const weighted = steps.flatMap((step, index) => Array.from({ length: weights[index]! }, () => step))
  return { begin, step: () => pick(weighted)!(), codes, outcome }
}

const SECOND = { bankCode: '014', accountNo: '9876543210', name: 'บจก. คราม เติมเกม', promptPayId: null }

const NAME = `storms of lines, slips and people in ${PROCESSES} processes: no more is taken as proven than came`

testAtRandom(NAME, { size: 100, timeout: 480_000 }, async ({ seed: first, size, isWhole, tell }) => {
  const codes = new Set<string>()
  let proven = 0
  for (let run = 0; run < size; run++) {
    // The same storm alone: its own seed with SIZE=1.
    const seed = first + run
    tell(`storm ${seed} begins`)
    const storm = createRun(seed, tell)
    await storm.begin()
    let left = STEPS
    const work = async () => {
      while (left-- > 0) await storm.step()
    }
    await Promise.all(Array.from({ length: 7 }, work))
    await it.drain()
    await matchStatements(it.shop)
    const { proven: taken, came } = await storm.outcome()
    expect(taken, `seed ${seed}`).toBeLessThanOrEqual(came)
    proven += taken
    for (const code of storm.codes) codes.add(code)
  }
  expect([...codes].filter(code => !EXPECTED.has(code))).toEqual([])
  if (isWhole) expect(proven).toBeGreaterThan(size / 2)
  expect((await checkLedger(it.db)).breaches).toEqual([])
})
