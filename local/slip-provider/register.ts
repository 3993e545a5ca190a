import { SLIP_PROVIDER_NAMES, type SlipProviderName } from '@shop/shared/provider-names.ts'
import { readSlipQr } from '@shop/shared/upload/slip-qr.ts'

/** An account that receives money. The stand-in knows its whole number; the data of a slip shows only parts of it. */
export interface Account {
  bankCode: string
  accountNo: string
  name: string
  promptPayId: string | null
}

/** A transfer that was really made, as the banks know it. */
export interface Transfer {
  sendingBank: string
  reference: string
  amountSatang: number
  at: Date
  receiver: Account
  payer: { accountNo: string; name: string }
}

/** The faults that an answer can have, with their names on the stand-in's page, in groups for who looks for one. */
export const FAULT_GROUPS = {
  สลิปใช้จ่ายไม่ได้: {
    amount: 'ยอดไม่ตรง',
    receiver: 'โอนไปบัญชีอื่น',
    repeat: 'ผู้ตรวจเคยเห็นสลิปนี้แล้ว',
    none: 'ธนาคารไม่มีรายการนี้ (สลิปปลอม)',
    unreadable: 'อ่าน QR ไม่ได้',
  },
  ธนาคารหรือผู้ตรวจขัดข้อง: {
    fresh: 'ธนาคารยังไม่รู้จักรายการ (ใหม่เกินไป)',
    bankDown: 'ระบบธนาคารล่ม',
    hang: 'ผู้ตรวจไม่ตอบ 30 วินาที',
    reset: 'ผู้ตรวจตัดการเชื่อมต่อ',
    html: 'ผู้ตรวจล่ม (502)',
    tooMany: 'ผู้ตรวจบอกว่าถามถี่เกินไป (429)',
    cut: 'คำตอบขาดกลางทาง',
  },
  บัญชีของร้านกับผู้ตรวจ: {
    quota: 'โควตาตรวจสลิปหมด',
    expired: 'แพ็กเกจตรวจสลิปหมดอายุ',
    key: 'คีย์ของร้านใช้ไม่ได้',
  },
  คำตอบไม่ชัดพอให้ร้านเชื่อ: {
    objection: 'ข้อมูลตรงแต่ผู้ตรวจค้านยอด',
    hidden: 'ไม่แสดงเลขบัญชีผู้รับ',
    proxyOnly: 'บอกแต่พร้อมเพย์ผู้รับ',
    noBank: 'ไม่บอกธนาคารผู้รับ',
    noStamp: 'ไม่บอกเวลาโอนแบบเต็ม',
    twoTimes: 'เวลาโอนสองค่าไม่ตรงกัน',
    otherReference: 'ตอบเลขอ้างอิงอื่น',
    lowerCase: 'ตอบเลขอ้างอิงเป็นตัวพิมพ์เล็ก',
  },
  คำตอบผิดรูปแบบเอกสาร: {
    unknownCode: 'รหัสที่ไม่มีในเอกสาร',
    unknownShape: 'โครงสร้างที่ไม่มีในเอกสาร',
    textCode: 'รหัสเป็นข้อความ',
    textAmount: 'ยอดเป็นข้อความ',
    thirdDecimal: 'ยอดมีทศนิยมสามหลัก',
  },
} as const
type Groups = typeof FAULT_GROUPS
export type Fault = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups]
export const FAULT = Object.assign({}, ...Object.values(FAULT_GROUPS)) as Record<Fault, string>
export const FAULTS = Object.keys(FAULT) as Fault[]

/** What a provider knows about a slip that it is asked about. */
export interface Asked {
  transfer: Transfer | null
  fault: Fault | null
  /** The provider has told of this transfer before. */
  isRepeat: boolean
  /** The receiver is one of the accounts that the shop registered. */
  isRegistered: boolean
  amountSatang: number
  now: Date
}

interface JournalEntry {
  provider: SlipProviderName
  at: string
  qrText: string
  fault: Fault | null
  status: number | null
}

/** The transfers that both providers know, and a journal of the calls. */
export interface Register {
  /** Makes a transfer known. Each fault spoils one answer about it, in this order; after them the answers are true. */
  add(transfer: Transfer, faults?: readonly Fault[]): void
  /** Returns what the provider knows about a QR code, or null when it is not that of a slip. */
  ask(provider: SlipProviderName, qrText: string, amountSatang: number): Asked | null
  journal: JournalEntry[]
  /** How many calls each provider still answers. After them it answers that the quota is used up. */
  quota: Record<SlipProviderName, number>
}

const OTHER_ACCOUNT = { accountNo: '9876501234', name: 'นาย ข', promptPayId: '0899999999' }

/** Returns the transfer as a fault falsifies it. */
function withFault(transfer: Transfer, fault: Fault | null): Transfer {
  const change: Partial<Record<Fault, Partial<Transfer>>> = {
    amount: { amountSatang: transfer.amountSatang + 100 },
    receiver: { receiver: { ...transfer.receiver, ...OTHER_ACCOUNT } },
    otherReference: { reference: `${transfer.reference.slice(0, -1)}${transfer.reference.endsWith('9') ? '8' : '9'}` },
    lowerCase: { reference: transfer.reference.toLowerCase() },
  }
  return { ...transfer, ...(fault && change[fault]) }
}

export function createRegister(options: { now: () => Date; isRegistered: (account: Account) => boolean }): Register {
  const known = new Map<string, { transfer: Transfer; faults: Fault[]; toldBy: Set<SlipProviderName> }>()
  const keyOf = (bank: string, reference: string) => `${bank} ${reference}`
  const register: Register = {
    journal: [],
    quota: Object.fromEntries(SLIP_PROVIDER_NAMES.map(name => [name, 1_000_000])) as Register['quota'],
    add(transfer, faults = []) {
      const kept = { transfer, faults: [...faults], toldBy: new Set<SlipProviderName>() }
      known.set(keyOf(transfer.sendingBank, transfer.reference), kept)
    },
    ask(provider, qrText, amountSatang) {
      const qr = readSlipQr(qrText)
      if (qr?.kind !== 'slip') return null
      const isSpent = register.quota[provider] <= 0
      const found = known.get(keyOf(qr.sendingBank, qr.reference))
      const fault = isSpent ? 'quota' : (found?.faults.shift() ?? null)
      register.quota[provider] -= 1
      const now = options.now()
      if (!found) return { transfer: null, fault, isRepeat: false, isRegistered: false, amountSatang, now }
      const isRepeat = found.toldBy.has(provider) || fault === 'repeat'
      // A provider that hangs has found the transfer nevertheless, so the next call is a repeat.
      if (fault === null || fault === 'hang') found.toldBy.add(provider)
      const transfer = withFault(found.transfer, fault)
      const isRegistered = options.isRegistered(transfer.receiver)
      return { transfer, fault, isRepeat, isRegistered, amountSatang, now }
    },
  }
  return register
}

/** An answer, or what happens instead of it. */
export type Answer = { status: number; body: object } | 'hang' | 'reset' | 'html' | 'tooMany' | 'cut'

/** Returns the faults that look the same from both providers, and null for all others. */
export const brokenLine = (fault: Fault | null): Answer | null =>
  fault === 'hang' || fault === 'reset' || fault === 'html' || fault === 'tooMany' || fault === 'cut' ? fault : null

/** Masks a number as banks print it: "0123456789" -> "xxx-x-x5678-x". */
export const maskAccount = (accountNo: string): string =>
  `xxx-x-x${accountNo.slice(accountNo.length - 5, -1)}-x`.padStart(accountNo.length + 3, 'x')
/** "0812345678" -> "xxxxxx5678". */
export const maskProxy = (proxy: string): string => `${'x'.repeat(proxy.length - 4)}${proxy.slice(-4)}`
