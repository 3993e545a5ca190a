import { toDecimalText } from '@shop/shared/money.ts'
import type { Party, SlipAnswer, SlipReply } from '@shop/shared/slipcheck/reply.ts'
import { readAmount, readBangkokTime, readTime } from '@shop/shared/slipcheck/reply.ts'
import * as z from 'zod'
import { accountOf, askByPost, namesOf, proxyOf, readStanding, type SlipProvider } from './provider.ts'

const text = z.string().nullish()
const numbered = z.object({ type: text, value: text }).nullish()
const party = z.object({ displayName: text, name: text, proxy: numbered, account: numbered }).nullish()
const transfer = z.object({
  success: z.boolean().optional(),
  transRef: text,
  sendingBank: text,
  receivingBank: text,
  transDate: text,
  transTime: text,
  transTimestamp: text,
  sender: party,
  receiver: party,
  amount: z.union([z.number(), z.string()]).nullish(),
})
const reply = z.object({
  success: z.boolean().optional(),
  code: z.union([z.number(), z.string()]).nullish(),
  data: z.unknown().optional(),
})

const quotaReply = z.object({ data: z.object({ quota: z.number() }) })

/** The meaning of SlipOK's codes. Codes of kind `slip` come with the transfer and an objection to it. */
const CODE: Record<string, SlipAnswer['kind']> = {
  1000: 'unreadable',
  1005: 'unreadable',
  1006: 'unreadable',
  1007: 'unreadable',
  1008: 'unreadable',
  1001: 'refused',
  1002: 'refused',
  1003: 'refused',
  1004: 'refused',
  1015: 'refused',
  1009: 'bankDown',
  1010: 'pending',
  1011: 'notFound',
  1012: 'slip',
  1013: 'slip',
  1014: 'slip',
}

const partyOf = (given: z.output<typeof party>, bankCode: string | null): Party => ({
  bankCode,
  names: namesOf(given?.displayName, given?.name),
  account: accountOf(given?.account?.type, given?.account?.value),
  proxy: proxyOf(given?.proxy?.type, given?.proxy?.value),
})

const TOLERANCE_MS = 60_000

/** Date and time are in Bangkok time, the timestamp is in UTC. When both are given they must agree. */
function timeOf({ transDate, transTime, transTimestamp }: z.output<typeof transfer>): Date | null {
  const [local, stamp] = [readBangkokTime(transDate, transTime), readTime(transTimestamp)]
  if (!local || !stamp) return local ?? stamp
  return Math.abs(local.getTime() - stamp.getTime()) <= TOLERANCE_MS ? stamp : null
}

function replyOf(data: z.output<typeof transfer>, code: string | null, isOk: boolean): SlipReply {
  const isSuccess = isOk && data.success === true && code === null
  return {
    isSuccess,
    sendingBank: data.sendingBank || null,
    reference: data.transRef || null,
    amountSatang: readAmount(data.amount),
    transferredAt: timeOf(data),
    receiver: partyOf(data.receiver, data.receivingBank || null),
    payer: partyOf(data.sender, data.sendingBank || null),
    matched: isSuccess ? { accountNo: null } : null,
    flags: { isRepeat: code === '1012', amountDiffers: code === '1013', receiverDiffers: code === '1014' },
  }
}

function delayOf(data: unknown): number | null {
  const minutes = Number((data as { delay?: unknown } | null)?.delay)
  return minutes >= 1 && minutes <= 60 ? minutes : null
}

function read({ status, body }: { status: number; body: unknown }): { answer: SlipAnswer | null; code: string | null } {
  const parsed = reply.safeParse(body)
  if (!parsed.success) return { answer: null, code: null }
  const { success, data } = parsed.data
  const code = parsed.data.code === undefined || parsed.data.code === null ? null : String(parsed.data.code)
  const isOk = status === 200 && success === true
  const kind = code === null ? (isOk ? 'slip' : undefined) : CODE[code]
  if (kind === undefined || kind === 'unknown' || kind === 'unreachable') return { answer: null, code }
  if (kind === 'pending') return { answer: { kind, delayMinutes: delayOf(data) }, code }
  if (kind !== 'slip') return { answer: { kind }, code }
  const told = transfer.safeParse(data)
  return { answer: told.success ? { kind, reply: replyOf(told.data, code, isOk) } : null, code }
}

/** Makes a client of SlipOK's API version 1.7. With `log` SlipOK also records repeats and receivers. */
export function createSlipOk(options: {
  baseUrl: string
  branchId: string
  apiKey: string
  timeoutMs: number
}): SlipProvider {
  const { baseUrl, branchId, apiKey, timeoutMs } = options
  const url = `${baseUrl}/${encodeURIComponent(branchId)}`
  const headers = { 'x-authorization': apiKey }
  return {
    name: 'slipok',
    standing: () =>
      readStanding(
        { url: `${url}/quota`, headers, timeoutMs },
        body => quotaReply.safeParse(body).data?.data.quota ?? null,
      ),
    ask: ({ qrText, amountSatang }) =>
      askByPost(
        {
          url,
          headers,
          body: { data: qrText, amount: Number(toDecimalText(amountSatang)), log: true },
          timeoutMs,
        },
        read,
      ),
  }
}
