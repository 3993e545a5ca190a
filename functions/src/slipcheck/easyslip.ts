import { toDecimalText } from '@shop/shared/money.ts'
import { type Party, readAmount, readTime, type SlipAnswer, type SlipReply } from '@shop/shared/slipcheck/reply.ts'
import * as z from 'zod'
import { accountOf, askByPost, namesOf, proxyOf, readStanding, type SlipProvider } from './provider.ts'

const text = z.string().nullish()
const numbered = z.object({ type: text, account: text }).nullish()
const party = z
  .object({
    bank: z.object({ id: text }).nullish(),
    account: z.object({ name: z.object({ th: text, en: text }).nullish(), bank: numbered, proxy: numbered }).nullish(),
  })
  .nullish()
const transfer = z.object({
  isDuplicate: z.boolean().nullish(),
  isAmountMatched: z.boolean().nullish(),
  matchedAccount: z.object({ bankNumber: text }).nullish(),
  rawSlip: z.object({
    transRef: text,
    date: text,
    amount: z.object({ amount: z.union([z.number(), z.string()]).nullish() }).nullish(),
    sender: party,
    receiver: party,
  }),
})
const reply = z.object({
  success: z.boolean(),
  data: z.unknown().optional(),
  error: z.object({ code: z.string() }).nullish(),
})

/** The meaning of EasySlip's error codes; the first pattern that matches counts. */
const CODES: readonly [RegExp, Exclude<SlipAnswer['kind'], 'slip' | 'unreachable' | 'unknown'>][] = [
  [/^SLIP_PENDING$/, 'pending'],
  [/^SLIP_NOT_FOUND$/, 'notFound'],
  [/^(MISSING|INVALID)_API_KEY$/, 'refused'],
  [/^(BRANCH_INACTIVE|SERVICE_BANNED|SERVICE_DELETED|SERVICE_EXPIRED|IP_NOT_ALLOWED|QUOTA_EXCEEDED)$/, 'refused'],
  [/^(VALIDATION_ERROR|URL_.*|IMAGE_.*|INVALID_IMAGE_.*|INVALID_PAYLOAD)$/, 'unreadable'],
]

const partyOf = (given: z.output<typeof party>): Party => ({
  bankCode: given?.bank?.id || null,
  names: namesOf(given?.account?.name?.th, given?.account?.name?.en),
  account: accountOf(given?.account?.bank?.type, given?.account?.bank?.account),
  proxy: proxyOf(given?.account?.proxy?.type, given?.account?.proxy?.account),
})

/**
 * EasySlip reports a repeat, the amount and the receiver as flags of a success; an account that it does not know is an
 * objection.
 */
function replyOf(data: z.output<typeof transfer>): SlipReply {
  const { rawSlip, matchedAccount } = data
  const sender = partyOf(rawSlip.sender)
  return {
    isSuccess: true,
    sendingBank: sender.bankCode,
    reference: rawSlip.transRef || null,
    amountSatang: readAmount(rawSlip.amount?.amount),
    transferredAt: readTime(rawSlip.date),
    receiver: partyOf(rawSlip.receiver),
    payer: sender,
    // An account without its full number proves nothing.
    matched: matchedAccount?.bankNumber ? { accountNo: matchedAccount.bankNumber.replace(/\D/g, '') } : null,
    flags: {
      isRepeat: data.isDuplicate === true,
      amountDiffers: data.isAmountMatched === false,
      receiverDiffers: !matchedAccount,
    },
  }
}

function read({ status, body }: { status: number; body: unknown }): { answer: SlipAnswer | null; code: string | null } {
  const parsed = reply.safeParse(body)
  if (!parsed.success) return { answer: null, code: null }
  const { success, data, error } = parsed.data
  if (!success || error) {
    const code = error?.code ?? null
    const kind = CODES.find(([pattern]) => code !== null && pattern.test(code))?.[1]
    if (!kind) return { answer: null, code }
    return { answer: kind === 'pending' ? { kind, delayMinutes: null } : { kind }, code }
  }
  const told = transfer.safeParse(data)
  return { answer: told.success && status === 200 ? { kind: 'slip', reply: replyOf(told.data) } : null, code: null }
}

/** Makes a client of EasySlip's API version 2. The shop detects repeats itself, so EasySlip is not asked to. */
export function createEasySlip(options: { baseUrl: string; apiKey: string; timeoutMs: number }): SlipProvider {
  const { baseUrl, apiKey, timeoutMs } = options
  const headers = { authorization: `Bearer ${apiKey}` }
  return {
    name: 'easyslip',
    standing: () => readStanding({ url: `${baseUrl}/info`, headers, timeoutMs }, () => null),
    ask: ({ qrText, amountSatang }) =>
      askByPost(
        {
          url: `${baseUrl}/verify/bank`,
          headers,
          body: {
            payload: qrText,
            matchAmount: Number(toDecimalText(amountSatang)),
            matchAccount: true,
            checkDuplicate: false,
          },
          timeoutMs,
        },
        read,
      ),
  }
}
