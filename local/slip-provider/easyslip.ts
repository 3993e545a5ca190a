import { toDecimalText } from '@shop/shared/money.ts'
import { type Answer, type Asked, brokenLine, type Fault, maskAccount, maskProxy, type Transfer } from './register.ts'

const ERROR_OF_FAULT: Partial<Record<Fault, [status: number, code: string]>> = {
  none: [404, 'SLIP_NOT_FOUND'],
  unreadable: [400, 'VALIDATION_ERROR'],
  quota: [403, 'QUOTA_EXCEEDED'],
  expired: [403, 'SERVICE_EXPIRED'],
  key: [401, 'INVALID_API_KEY'],
  bankDown: [500, 'API_SERVER_ERROR'],
  fresh: [404, 'SLIP_PENDING'],
  textCode: [404, 'SLIP_PENDING'],
  unknownCode: [418, 'NEVER_HEARD_OF'],
}

const refusal = ([status, code]: [number, string]): Answer => ({
  status,
  body: { success: false, error: { code, message: code } },
})

/** Answers a call with a wrong key or an invalid body. */
export const easySlipRefusal = (status: number, code: string): Answer => refusal([status, code])

/** EasySlip's documents show times with Bangkok's offset. */
const localTime = (at: Date) => `${new Date(at.getTime() + 7 * 3_600_000).toISOString().slice(0, 19)}+07:00`

function rawSlip({ receiver, payer, ...transfer }: Transfer, fault: Fault | null): object {
  const baht = toDecimalText(transfer.amountSatang)
  const amount = fault === 'textAmount' ? baht : fault === 'thirdDecimal' ? Number(`${baht}5`) : Number(baht)
  const proxy = {
    type: receiver.promptPayId?.length === 10 ? 'MSISDN' : 'NATID',
    account: maskProxy(receiver.promptPayId ?? '0000'),
  }
  const shown =
    fault === 'hidden' ? { type: 'TOKEN', account: '' } : { type: 'BANKAC', account: maskAccount(receiver.accountNo) }
  return {
    payload: '',
    transRef: transfer.reference,
    // EasySlip's answers have one time only, so this fault leaves it empty.
    date: fault === 'twoTimes' ? '' : localTime(transfer.at),
    countryCode: 'TH',
    amount: { amount, local: { amount, currency: '764' } },
    fee: 0,
    ref1: '',
    sender: {
      bank: { id: transfer.sendingBank, name: '', short: '' },
      account: { name: { th: payer.name }, bank: { type: 'BANKAC', account: maskAccount(payer.accountNo) } },
    },
    receiver: {
      bank: fault === 'noBank' ? {} : { id: receiver.bankCode, name: '', short: '' },
      account: {
        name: { th: receiver.name.slice(0, 10) },
        ...(fault === 'proxyOnly' ? { proxy } : { bank: shown }),
      },
    },
  }
}

/** Answers as EasySlip, which tells of a repeated slip or a wrong amount or receiver in a successful answer. */
export function answerAsEasySlip(asked: Asked | null): Answer {
  if (!asked) return refusal([400, 'VALIDATION_ERROR'])
  const { transfer, fault, isRepeat, isRegistered, amountSatang } = asked
  const broken = brokenLine(fault)
  if (broken) return broken
  const error = fault && ERROR_OF_FAULT[fault]
  if (error) return refusal(error)
  if (fault === 'unknownShape') return { status: 200, body: { success: true, data: { slip: 'fine' } } }
  if (!transfer) return refusal([404, 'SLIP_NOT_FOUND'])
  const { receiver } = transfer
  const data = {
    isDuplicate: isRepeat,
    matchedAccount: isRegistered
      ? { bankNumber: receiver.accountNo, bank: { code: receiver.bankCode }, nameTh: receiver.name }
      : null,
    amountInOrder: amountSatang / 100,
    amountInSlip: transfer.amountSatang / 100,
    isAmountMatched: transfer.amountSatang === amountSatang && fault !== 'objection',
    rawSlip: rawSlip(transfer, fault),
  }
  return { status: 200, body: { success: true, data, message: 'ok' } }
}
