import type { PaymentCode } from '@shop/shared/catalogue/catalogue.ts'
import { type LucideIcon, QrCode, Wallet } from 'lucide-react'
import type { AmountKind } from '../ui/amount.tsx'

interface PaymentMethod {
  detail: string
  icon: LucideIcon
  /** How prices look before the order is made: the satang of a transfer are given out later. */
  priceKind: AmountKind
  confirmLabel: string
  /** Money is taken with the order, so the balance is looked at and the PIN asked for. */
  asksPin: boolean
  /** Where an order leads once it is made. */
  donePath: string
}

/** What differs for the buyer between the ways to pay. */
export const PAYMENT_METHODS: Record<PaymentCode, PaymentMethod> = {
  bank: {
    detail: 'สแกนพร้อมเพย์ หรือโอนเข้าบัญชี',
    icon: QrCode,
    priceKind: 'pending',
    confirmLabel: 'ดำเนินการต่อ',
    asksPin: false,
    donePath: '/payment',
  },
  wallet: {
    detail: 'ตัดยอดจาก Wallet ทันที',
    icon: Wallet,
    priceKind: 'plain',
    confirmLabel: 'ยืนยันการสั่งซื้อ',
    asksPin: true,
    donePath: '/thankyou',
  },
}
