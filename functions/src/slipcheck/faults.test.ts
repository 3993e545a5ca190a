import { SLIP_PROVIDER_NAMES, type SlipProviderName } from '@shop/shared/provider-names.ts'
import type { StaffReason } from '@shop/shared/slipcheck/outcome.ts'
import type { RuleName, RuleResult } from '@shop/shared/slipcheck/verdict.ts'
import { FAULTS, type Fault } from 'local/slip-provider/register.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSlipShop, lookAt, paySlipOrder, type SlipShop } from '../testing/slips.ts'
import { checkLedger } from '../wallet/ledger-check.ts'

const PROVIDERS = SLIP_PROVIDER_NAMES

/** How an order ends that shows one fault and then the truth, and how long the shop waits before it asks again. */
type Ending =
  | { paidAfterSeconds: number }
  | { staff: StaffReason; rule?: [RuleName, RuleResult]; afterSeconds?: number[] }
  | 'picture'

const paid = { paidAfterSeconds: 0 }
const staff = (rule: RuleName, result: RuleResult): Ending => ({ staff: 'rules', rule: [rule, result] })
const both = (ending: Ending): Record<SlipProviderName, Ending> => ({ slipok: ending, easyslip: ending })

const ENDING: Record<Fault, Record<SlipProviderName, Ending>> = {
  fresh: { slipok: { paidAfterSeconds: 480 }, easyslip: { paidAfterSeconds: 90 } },
  // Asked again, the provider calls it a repeat, although nobody was credited.
  hang: both({ paidAfterSeconds: 10 }),
  reset: both({ paidAfterSeconds: 10 }),
  html: both({ paidAfterSeconds: 10 }),
  tooMany: both({ paidAfterSeconds: 42 }),
  cut: both({ paidAfterSeconds: 10 }),
  bankDown: { slipok: { paidAfterSeconds: 900 }, easyslip: { paidAfterSeconds: 10 } },
  amount: both(staff('amount', 'no')),
  receiver: both(staff('receiver', 'no')),
  objection: { slipok: staff('reply', 'unclear'), easyslip: staff('amount', 'unclear') },
  repeat: both(staff('reply', 'unclear')),
  none: both({ paidAfterSeconds: 420 }),
  unreadable: both('picture'),
  quota: both({ staff: 'stopped' }),
  expired: both({ staff: 'stopped' }),
  key: both({ staff: 'stopped' }),
  unknownCode: both({ staff: 'unknown' }),
  unknownShape: both({ staff: 'unknown' }),
  textCode: { slipok: { paidAfterSeconds: 480 }, easyslip: { paidAfterSeconds: 90 } },
  noStamp: both(paid),
  twoTimes: both(staff('time', 'unclear')),
  noBank: both(paid),
  textAmount: both(paid),
  thirdDecimal: both(staff('amount', 'unclear')),
  proxyOnly: both(paid),
  // No number to compare: the provider's own match speaks for the receiver.
  hidden: both(paid),
  otherReference: both(staff('reference', 'no')),
  lowerCase: both(staff('reference', 'no')),
}

describe.each(PROVIDERS)('%s', provider => {
  let it: SlipShop
  beforeAll(async () => {
    it = await createSlipShop(provider, { SLIP_TIMEOUT_MS: '800' })
  })
  afterAll(() => it.stop())
  beforeEach(() => it.db.query({ text: 'DELETE FROM slip_provider' }))

  test.each(FAULTS)('%s', async fault => {
    const { orderNo, slipCheck } = await paySlipOrder(it, [fault])
    expect(slipCheck).toBe('confirming')
    await it.drain()
    const ending = ENDING[fault][provider]
    const first = await lookAt(it, orderNo)
    if (ending === 'picture') {
      expect(first).toMatchObject({ status: 'waiting_payment', slipCheck: 'picture', canReport: true })
    } else if ('staff' in ending) {
      expect(first).toMatchObject({ status: 'waiting_payment', slipCheck: 'staff', canReport: false })
      expect(first.slipVerdict).toMatchObject({ reason: ending.staff, hasApproved: false })
      const [rule, result] = ending.rule ?? []
      if (rule) expect(first.slipVerdict!.ask!.verdict![rule].result).toBe(result)
    } else {
      const { paidAfterSeconds: seconds } = ending
      if (seconds > 0) {
        expect(first).toMatchObject({ status: 'waiting_payment', slipCheck: 'confirming' })
        it.clock.advance(seconds - 1)
        await it.drain()
        expect((await lookAt(it, orderNo)).slipCheck).toBe('confirming')
        it.clock.advance(1)
        await it.drain()
      }
      const last = await lookAt(it, orderNo)
      expect(last).toMatchObject({ status: 'paid', slipCheck: 'confirmed' })
      expect(last.slipVerdict).toMatchObject({
        reason: null,
        hasApproved: true,
        ask: { provider, count: seconds > 0 ? 2 : 1 },
      })
    }
  })

  test('a plain transfer: every rule is told with both values, who paid too, and the books are right', async () => {
    const { orderNo, amountSatang } = await paySlipOrder(it)
    await it.drain()
    const { slipVerdict, timeline, reason } = await lookAt(it, orderNo)
    expect(slipVerdict).toMatchObject({
      state: 'confirmed',
      hasApproved: true,
      ask: { amountSatang, payerName: 'นาย ก' },
    })
    expect(Object.values(slipVerdict!.ask!.verdict!).map(({ result }) => result)).toEqual(Array(6).fill('ok'))
    expect(timeline.at(-1)).toMatchObject({ to: 'paid', actorRole: 'system', reason })
    expect((await checkLedger(it.db)).breaches).toEqual([])
  })

  test('silence to the end: three more tries, then staff', async () => {
    const { orderNo } = await paySlipOrder(it, ['reset', 'html', 'cut', 'reset'])
    for (const seconds of [0, 10, 60, 300]) {
      it.clock.advance(seconds)
      expect((await lookAt(it, orderNo)).slipCheck).toBe('confirming')
      await it.drain()
    }
    expect((await lookAt(it, orderNo)).slipVerdict).toMatchObject({
      state: 'staff',
      reason: 'unreachable',
      ask: { count: 4 },
    })
  })

  test('no such transfer is asked for once more; then staff', async () => {
    const { orderNo } = await paySlipOrder(it, ['none', 'none'])
    await it.drain()
    it.clock.advance(420)
    await it.drain()
    expect((await lookAt(it, orderNo)).slipVerdict).toMatchObject({ state: 'staff', reason: 'notFound' })
  })

  test('a bank that never hears of the transfer: staff within half an hour', async () => {
    const { orderNo } = await paySlipOrder(it, Array(40).fill('fresh'))
    for (let minute = 0; minute <= 30; minute++) {
      await it.drain()
      it.clock.advance(60)
    }
    expect((await lookAt(it, orderNo)).slipVerdict).toMatchObject({ state: 'staff', reason: 'pendingTooLong' })
  })
})
