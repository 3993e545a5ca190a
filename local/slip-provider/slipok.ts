import { toDecimalText } from '@shop/shared/money.ts'
import { type Answer, type Asked, brokenLine, type Fault, maskAccount, maskProxy, type Transfer } from './register.ts'

const BANGKOK_MS = 7 * 3_600_000

const CODE_OF_FAULT: Partial<Record<Fault, number>> = {
  none: 1011,
  unreadable: 1007,
  quota: 1004,
  expired: 1003,
  key: 1002,
  bankDown: 1009,
  unknownCode: 1999,
}

const refusal = (code: number | string, data?: object): Answer => ({
  status: 400,
  body: { code, message: `code ${code}`, ...(data && { data }) },
})

/** @param code 1000 for a call without a QR code, 1001 for an unknown branch, 1002 for a wrong key */
export const slipOkRefusal = (code: number): Answer => refusal(code)

function transferData({ receiver, payer, ...transfer }: Transfer, fault: Fault | null): object {
  const local = new Date(transfer.at.getTime() + BANGKOK_MS - (fault === 'twoTimes' ? 3_600_000 : 0)).toISOString()
  const baht = toDecimalText(transfer.amountSatang)
  const isHidden = fault === 'hidden'
  const proxy = {
    type: receiver.promptPayId?.length === 10 ? 'MSISDN' : 'NATID',
    value: maskProxy(receiver.promptPayId ?? '0000'),
  }
  return {
    success: true,
    message: '✅',
    transRef: transfer.reference,
    sendingBank: transfer.sendingBank,
    receivingBank: fault === 'noBank' || isHidden ? '' : receiver.bankCode,
    transDate: local.slice(0, 10).replaceAll('-', ''),
    transTime: local.slice(11, 19),
    ...(fault !== 'noStamp' && { transTimestamp: transfer.at.toISOString() }),
    sender: {
      displayName: payer.name,
      name: payer.name,
      proxy: { type: null, value: null },
      account: { type: 'BANKAC', value: maskAccount(payer.accountNo) },
    },
    receiver: {
      displayName: receiver.name.slice(0, 10),
      name: receiver.name.slice(0, 10),
      proxy: fault === 'proxyOnly' ? proxy : { type: null, value: null },
      account:
        fault === 'proxyOnly' || isHidden
          ? { type: isHidden ? 'DUMMY' : '', value: '' }
          : { type: 'BANKAC', value: maskAccount(receiver.accountNo) },
    },
    amount: fault === 'textAmount' ? baht : fault === 'thirdDecimal' ? Number(`${baht}5`) : Number(baht),
    paidLocalCurrency: '764',
    countryCode: 'TH',
    transFeeAmount: '0',
    ref1: '',
    ref2: '',
    ref3: '',
    toMerchantId: '',
  }
}

/** Answers as SlipOK does to calls with `log: true`. */
export function answerAsSlipOk(asked: Asked | null): Answer {
  if (!asked) return refusal(1008)
  const { transfer, fault, isRepeat, isRegistered, amountSatang } = asked
  const broken = brokenLine(fault)
  if (broken) return broken
  const code = fault && CODE_OF_FAULT[fault]
  if (code) return refusal(code)
  const bank = { qrcodeData: '', bankCode: '014', bankName: 'SCB', delay: 7 }
  if (fault === 'fresh') return refusal(1010, bank)
  if (fault === 'textCode') return refusal('1010', bank)
  if (fault === 'unknownShape') return { status: 200, body: { success: true, result: 'fine' } }
  if (!transfer) return refusal(1011)
  const data = transferData(transfer, fault)
  if (isRepeat) return refusal(1012, data)
  if (transfer.amountSatang !== amountSatang || fault === 'objection') return refusal(1013, data)
  return isRegistered ? { status: 200, body: { success: true, data } } : refusal(1014, data)
}
