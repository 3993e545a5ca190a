import type { Satang } from '../money.ts'

/** One side of a transfer as a provider shows it; numbers are masked. */
export interface Party {
  /** Clearing code; null when it is not told. */
  bankCode: string | null
  /** The names that the bank shows, in Thai or Latin letters, perhaps cut or masked. */
  names: readonly string[]
  /** Masked account number, e.g. "xxx-x-x0209-x". */
  account: string | null
  /** Masked PromptPay id. */
  proxy: string | null
}

/** A transfer in a common form for all providers. */
export interface SlipReply {
  /** Whether the provider clearly confirms it; data beside an error does not count. */
  isSuccess: boolean
  sendingBank: string | null
  reference: string | null
  /** null when it can't be read as whole satang. */
  amountSatang: Satang | null
  /** null when it can't be read, or when the reply names two times. */
  transferredAt: Date | null
  receiver: Party
  payer: Party
  /**
   * The account that the shop registered with the provider and that received the money; its number is null when the
   * provider does not say it.
   */
  matched: { accountNo: string | null } | null
  /** Objections of the provider itself. */
  flags: { isRepeat: boolean; amountDiffers: boolean; receiverDiffers: boolean }
}

/** The result of asking a provider. */
export type SlipAnswer =
  | { kind: 'slip'; reply: SlipReply }
  /** The sending bank does not know the transfer yet. */
  | { kind: 'pending'; delayMinutes: number | null }
  | { kind: 'bankDown' }
  /** The provider itself did not answer: the connection broke, took too long, or the provider was overloaded. */
  | { kind: 'unreachable'; retryAfterSeconds: number | null }
  | { kind: 'notFound' }
  | { kind: 'unreadable' }
  /** The provider refuses the shop itself, because of its key, package, quota or address. */
  | { kind: 'refused' }
  | { kind: 'unknown' }

export type AnswerKind = SlipAnswer['kind']

/**
 * Reads an amount in baht, as number or text, in whole satang; null for a third decimal and anything that is no plain
 * amount.
 */
export function readAmount(value: unknown): Satang | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const match = /^(\d{1,11})(?:\.(\d{1,2}))?$/.exec(String(value).trim())
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null
}

const BANGKOK = '+07:00'
const parsed = (text: string): Date | null => {
  const instant = new Date(text)
  return Number.isNaN(instant.getTime()) ? null : instant
}

/** Reads an ISO time; one without an offset is in Bangkok time. */
export function readTime(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value)) return null
  return parsed(/(Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : value + BANGKOK)
}

/** "20261120" and "14:13:05" in Bangkok. */
export function readBangkokTime(day: unknown, time: unknown): Date | null {
  const [, year, month, date] = /^(\d{4})(\d{2})(\d{2})$/.exec(String(day)) ?? []
  if (!year || typeof time !== 'string' || !/^\d{2}:\d{2}:\d{2}$/.test(time)) return null
  return parsed(`${year}-${month}-${date}T${time}${BANGKOK}`)
}
