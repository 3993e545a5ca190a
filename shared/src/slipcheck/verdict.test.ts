import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addSeconds } from '../time.ts'
import { decide, type Past } from './outcome.ts'
import type { SlipAnswer, SlipReply } from './reply.ts'
import { isApproved, judge, RULE_NAMES, type RuleName, type SlipClaim } from './verdict.ts'

const NOW = new Date('2026-11-20T07:13:05.000Z')
const claim: SlipClaim = {
  amountSatang: 14_937,
  accounts: [{ bankCode: '004', accountNo: '0123456789', promptPayId: '0812345678', names: ['บจก. คราม เติมเกม'] }],
  window: { from: addSeconds(NOW, -600), to: addSeconds(NOW, 900) },
  slip: { sendingBank: '014', reference: '2026112009150000TESTref01' },
  isSlipOurs: true,
  rivals: [],
  wasAskedBefore: false,
}
const reply: SlipReply = {
  isSuccess: true,
  sendingBank: '014',
  reference: '2026112009150000TESTref01',
  amountSatang: 14_937,
  transferredAt: NOW,
  receiver: { bankCode: '004', names: ['บจก. คราม'], account: 'xxx-x-x5678-x', proxy: null },
  payer: { bankCode: '014', names: ['นาย ก'], account: 'xxx-x-x1111-x', proxy: null },
  matched: { accountNo: null },
  flags: { isRepeat: false, amountDiffers: false, receiverDiffers: false },
}
const named = ['บจก. คราม']
const none = { bankCode: null, names: [], account: null, proxy: null }
const flags = reply.flags

test('the plain case passes every rule', () => {
  expect(isApproved(judge(reply, claim))).toBe(true)
})

type Case = [name: string, rule: RuleName, result: 'ok' | 'no' | 'unclear', Partial<SlipReply>, Partial<SlipClaim>?]

test.each<Case>([
  ['data beside an error is no success', 'reply', 'unclear', { isSuccess: false }],
  ['a repeat that nobody here asked for', 'reply', 'unclear', { flags: { ...flags, isRepeat: true } }],
  [
    'a repeat of our own lost question',
    'reply',
    'ok',
    { isSuccess: false, flags: { ...flags, isRepeat: true } },
    { wasAskedBefore: true },
  ],
  ['another reference', 'reference', 'no', { reference: '2026112009150000TESTref02' }],
  ['the reference in lower case', 'reference', 'no', { reference: '2026112009150000testref01' }],
  ['another sending bank', 'reference', 'no', { sendingBank: '004' }],
  ['no sending bank', 'reference', 'unclear', { sendingBank: null }],
  ['a satang more', 'amount', 'no', { amountSatang: 14_938 }],
  ['a satang less', 'amount', 'no', { amountSatang: 14_936 }],
  ['an amount that can not be read', 'amount', 'unclear', { amountSatang: null }],
  [
    'an amount that another order waits for too',
    'amount',
    'unclear',
    {},
    { rivals: [{ no: 'KT2611-00000001', window: claim.window, hasPaid: false }] },
  ],
  [
    'an amount that a top-up waits for too',
    'amount',
    'unclear',
    {},
    { rivals: [{ no: 'WT2611-00000001', window: null, hasPaid: false }] },
  ],
  [
    'an amount that paid something of that time already',
    'amount',
    'unclear',
    {},
    { rivals: [{ no: 'WT2611-00000002', window: claim.window, hasPaid: true }] },
  ],
  [
    'an amount that another order waits for, made after the transfer',
    'amount',
    'ok',
    {},
    {
      rivals: [
        { no: 'KT2611-00000001', window: { from: addSeconds(NOW, 1), to: addSeconds(NOW, 900) }, hasPaid: false },
      ],
    },
  ],
  ['the provider says that the amount differs', 'amount', 'unclear', { flags: { ...flags, amountDiffers: true } }],
  ['another account', 'receiver', 'no', { receiver: { ...reply.receiver, account: 'xxx-x-x5679-x' } }],
  ['another bank', 'receiver', 'no', { receiver: { ...reply.receiver, bankCode: '014' } }],
  [
    'our PromptPay id alone',
    'receiver',
    'ok',
    { receiver: { ...none, names: named, proxy: 'xxx-xxx-5678' }, matched: null },
  ],
  ['another PromptPay id', 'receiver', 'no', { receiver: { ...none, proxy: 'xxx-xxx-5679' } }],
  ['our PromptPay id without a name', 'receiver', 'unclear', { receiver: { ...none, proxy: 'xxx-xxx-5678' } }],
  ['a name alone, and the provider knows it', 'receiver', 'ok', { receiver: { ...none, names: named } }],
  ['no receiver, and the provider knows one', 'receiver', 'unclear', { receiver: none }],
  ['our digits and another name', 'receiver', 'no', { receiver: { ...reply.receiver, names: ['นาย ขโมย ส'] } }],
  ['our digits without a name', 'receiver', 'unclear', { receiver: { ...reply.receiver, names: [] } }],
  [
    'our digits and a name in letters that nobody entered',
    'receiver',
    'unclear',
    { receiver: { ...reply.receiver, names: ['KHRAM'] } },
  ],
  [
    'our digits and a name in letters that were entered',
    'receiver',
    'ok',
    { receiver: { ...reply.receiver, names: ['KHRAM TE'] } },
    { accounts: [{ ...claim.accounts[0]!, names: ['บจก. คราม เติมเกม', 'KHRAM TERM GAME CO., LTD.'] }] },
  ],
  [
    'another name, though the provider names our account',
    'receiver',
    'no',
    { receiver: { ...reply.receiver, names: ['นาย ขโมย ส'] }, matched: { accountNo: '0123456789' } },
  ],
  ['no receiver, and nobody knows it', 'receiver', 'unclear', { receiver: none, matched: null }],
  [
    'no receiver, and the provider names our account',
    'receiver',
    'ok',
    { receiver: none, matched: { accountNo: '0123456789' } },
  ],
  [
    'no receiver, and the provider names another',
    'receiver',
    'unclear',
    { receiver: none, matched: { accountNo: '0123456780' } },
  ],
  [
    'a repeat proves no receiver',
    'receiver',
    'unclear',
    { receiver: { ...none, names: named }, flags: { ...flags, isRepeat: true } },
  ],
  ['the provider objects to the receiver', 'receiver', 'unclear', { flags: { ...flags, receiverDiffers: true } }],
  ['before the order', 'time', 'no', { transferredAt: addSeconds(NOW, -601) }],
  ['in the first second', 'time', 'ok', { transferredAt: addSeconds(NOW, -600) }],
  ['in the last second', 'time', 'ok', { transferredAt: addSeconds(NOW, 900) }],
  ['too late', 'time', 'no', { transferredAt: addSeconds(NOW, 901) }],
  ['no time', 'time', 'unclear', { transferredAt: null }],
  ['a slip that pays something else', 'unused', 'no', {}, { isSlipOurs: false }],
])('%s: %s is %s', (_, rule, result, told, claimed = {}) => {
  const verdict = judge({ ...reply, ...told }, { ...claim, ...claimed })
  expect(verdict[rule].result).toBe(result)
  expect(isApproved(verdict)).toBe(RULE_NAMES.every(name => verdict[name].result === 'ok'))
})

/** Mostly what fits, so that a good part of the cases is approved. */
const mostly = <T>(good: T, ...others: T[]) =>
  fc.oneof({ arbitrary: fc.constant(good), weight: 6 }, { arbitrary: fc.constantFrom(...others), weight: 1 })
const rarely = mostly<boolean>(false, true)

test('nothing is approved for another amount, reference, time or slip, whatever else a reply says', () => {
  const anyReply: fc.Arbitrary<SlipReply> = fc.record({
    isSuccess: mostly<boolean>(true, false),
    sendingBank: mostly<string | null>('014', '004', null),
    reference: mostly<string | null>(reply.reference, 'other', null),
    amountSatang: mostly<number | null>(14_937, 14_938, null),
    transferredAt: mostly<Date | null>(NOW, addSeconds(NOW, -9999), null),
    receiver: fc.record({
      bankCode: mostly<string | null>('004', '014', null),
      names: mostly<string[]>(named, [], ['นาย ขโมย ส'], ['KHRAM']),
      account: mostly<string | null>('xxx-x-x5678-x', 'xxx-x-x1111-x', 'xxxxxxxxxx', null),
      proxy: mostly<string | null>(null, 'xxx-xxx-5678', 'xxx-xxx-1111'),
    }),
    payer: fc.constant(none),
    matched: mostly<SlipReply['matched']>({ accountNo: null }, null, { accountNo: '0123456789' }, { accountNo: '1' }),
    flags: fc.record({ isRepeat: rarely, amountDiffers: rarely, receiverDiffers: rarely }),
  })
  let approved = 0
  fc.assert(
    fc.property(anyReply, mostly<boolean>(true, false), fc.boolean(), (told, isSlipOurs, wasAskedBefore) => {
      if (!isApproved(judge(told, { ...claim, isSlipOurs, wasAskedBefore }))) return
      approved++
      expect(isSlipOurs).toBe(true)
      expect(told).toMatchObject({ sendingBank: '014', reference: reply.reference, amountSatang: 14_937 })
      expect(told.transferredAt).toEqual(NOW)
      expect(told.isSuccess || (told.flags.isRepeat && wasAskedBefore)).toBe(true)
      expect(told.flags).toMatchObject({ amountDiffers: false, receiverDiffers: false })
      expect(told.receiver.bankCode).not.toBe('014')
      expect(told.receiver.names).not.toContain('นาย ขโมย ส')
    }),
    { numRuns: 3000 },
  )
  expect(approved).toBeGreaterThan(100)
})

describe('what an answer leads to', () => {
  const past: Past = { firstAskedAt: NOW, handedInAt: NOW, answers: [], hasAskedPicture: false }
  const after = (seconds: number) => ({ to: 'retry', at: addSeconds(NOW, seconds) })
  const staff = (reason: string) => ({ to: 'staff', reason })
  const times = (count: number, kind: SlipAnswer['kind']) => Array.from({ length: count }, () => kind)
  const pending = { kind: 'pending', delayMinutes: null } as const
  const silent = { kind: 'unreachable', retryAfterSeconds: null } as const

  test.each<[string, SlipAnswer, Partial<Past>, object]>([
    ['too fresh, with a delay', { kind: 'pending', delayMinutes: 7 }, {}, after(480)],
    ['too fresh', pending, {}, after(90)],
    ['too fresh twice', pending, { answers: ['pending'] }, after(180)],
    ['too fresh again and again', pending, { answers: times(7, 'pending') }, after(600)],
    ['too fresh for half an hour', pending, { firstAskedAt: addSeconds(NOW, -1720) }, staff('pendingTooLong')],
    ['bank down', { kind: 'bankDown' }, {}, after(900)],
    ['bank down for long', { kind: 'bankDown' }, { answers: times(2, 'bankDown') }, staff('bankDown')],
    ['silence', silent, {}, after(10)],
    ['silence twice', silent, { answers: ['unreachable'] }, after(60)],
    [
      'silence thrice, with another answer between',
      silent,
      { answers: ['unreachable', 'pending', 'unreachable'] },
      after(300),
    ],
    ['silence for good', silent, { answers: times(3, 'unreachable') }, staff('unreachable')],
    ['told when to come back', { kind: 'unreachable', retryAfterSeconds: 42 }, {}, after(42)],
    ['told to come back tomorrow', { kind: 'unreachable', retryAfterSeconds: 86_400 }, {}, after(1800)],
    ['not found while fresh', { kind: 'notFound' }, {}, after(420)],
    ['not found twice', { kind: 'notFound' }, { answers: ['notFound'] }, staff('notFound')],
    ['not found, and not fresh', { kind: 'notFound' }, { handedInAt: addSeconds(NOW, -900) }, staff('notFound')],
    ['unreadable', { kind: 'unreadable' }, {}, { to: 'askPicture' }],
    ['unreadable again', { kind: 'unreadable' }, { hasAskedPicture: true }, staff('unreadable')],
    ['refused', { kind: 'refused' }, {}, { to: 'stop' }],
    ['unknown', { kind: 'unknown' }, {}, staff('unknown')],
    ['a transfer that fits', { kind: 'slip', reply }, {}, { to: 'approve' }],
    ['a transfer that does not', { kind: 'slip', reply: { ...reply, amountSatang: 1 } }, {}, staff('rules')],
  ])('%s', (_, answer, before, outcome) => {
    expect(decide(answer, claim, { ...past, ...before }, NOW).outcome).toEqual(outcome)
  })
})
