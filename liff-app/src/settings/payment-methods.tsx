import { PAYMENT_METHOD, type PaymentCode, type PaymentKind } from '@shop/shared/catalogue/payment-method.ts'
import { formatBahtShort } from '@shop/shared/money.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import type { WalletView } from '@shop/shared/wallet/endpoints.ts'
import { Coins, Landmark, type LucideIcon, QrCode, Smartphone, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { Amount, type AmountKind } from '../ui/amount.tsx'

interface Paying {
  /** A remark about the prices of the packages, or null. */
  priceNoteOf(wallet: WalletView | null): string | null
  /** How prices look before the order is made, when the satang of a transfer are not known yet. */
  priceKind: AmountKind
  confirmLabel: string
  /** The money goes to one of the shop's accounts, which the buyer chooses. */
  asksAccount: boolean
  /** One order may hold several pieces. */
  asksQuantity: boolean
  /** The order itself takes a wallet's money, so the balance is checked and the PIN asked for. */
  asksPin: boolean
  /** The page that follows a new order, and what is told instead to those who have gone elsewhere meanwhile. */
  donePath: string
  late: { text: string; action: string }
  /** What is said once the shop has the money. */
  paidText: string
}

const STILL_TO_PAY = { text: 'สร้างคำสั่งซื้อแล้ว รอชำระเงิน', action: 'ชำระเงิน' }
/** Nobody waits for money that the shop had before. */
const PAID_AT_ONCE = {
  donePath: '/thankyou',
  late: { text: 'สั่งซื้อสำเร็จ', action: 'ดูคำสั่งซื้อ' },
  paidText: 'สั่งซื้อสำเร็จ',
}
const PAID_LATER = { donePath: '/payment', late: STILL_TO_PAY, paidText: ORDER_STATUS.paid.label }

/** Everything in which the ways that money comes differ for the buyer. */
const PAYING: Record<PaymentKind, Paying> = {
  bank: {
    priceNoteOf: () => 'เศษสตางค์ (.xx) ระบบกำหนดให้ตอนชำระ เพื่อให้ร้านพบยอดของคุณ',
    priceKind: 'pending',
    confirmLabel: 'ยืนยัน รับยอดโอน',
    asksAccount: true,
    asksQuantity: false,
    asksPin: false,
    ...PAID_LATER,
  },
  wallet: {
    priceNoteOf: wallet =>
      wallet &&
      `ราคาตัวแทน ${wallet.tier.name} หักส่วนลดแล้ว · ต่อคำสั่งซื้อไม่เกิน ฿${formatBahtShort(wallet.maxAmountPerOrderSatang)} และ ${wallet.maxItemPerOrder} ชิ้น`,
    priceKind: 'plain',
    confirmLabel: 'ยืนยันการสั่งซื้อ',
    asksAccount: false,
    asksQuantity: true,
    asksPin: true,
    ...PAID_AT_ONCE,
  },
  credit: {
    priceNoteOf: () => null,
    priceKind: 'plain',
    confirmLabel: 'ยืนยันการสั่งซื้อ',
    asksAccount: false,
    asksQuantity: false,
    asksPin: false,
    ...PAID_AT_ONCE,
  },
  gateway: {
    priceNoteOf: () => null,
    priceKind: 'plain',
    confirmLabel: 'ยืนยัน ไปชำระเงิน',
    asksAccount: false,
    asksQuantity: false,
    asksPin: false,
    ...PAID_LATER,
  },
}
export const payingOf = (code: PaymentCode): Paying => PAYING[PAYMENT_METHOD[code].kind]

interface Look {
  icon: LucideIcon
  /** What stands below its name. `wallet` is the buyer's, or null; `hasPromptPay`: the gateway's can be chosen too. */
  detailOf(wallet: WalletView | null, hasPromptPay: boolean): ReactNode
}

const inApp = (app: string): Look => ({
  icon: Smartphone,
  detailOf: () => `จ่ายในแอป ${app} ร้านรู้ทันทีที่จ่าย`,
})

/** How each payment method is shown. */
export const PAYMENT_LOOK: Record<PaymentCode, Look> = {
  bank: {
    icon: Landmark,
    detailOf: (_, hasPromptPay) =>
      hasPromptPay ? 'ยอดมีเศษสตางค์ ต้องโอนให้ตรง ร้านตรวจยอดก่อน' : 'สแกนพร้อมเพย์ หรือโอนเข้าบัญชี',
  },
  wallet: {
    icon: Wallet,
    detailOf: wallet =>
      wallet ? (
        <>
          ตัดยอดทันที · คงเหลือ <Amount satang={wallet.balanceSatang} className="font-semibold text-ink" />
        </>
      ) : (
        'ตัดยอดจากกระเป๋าเงินทันที'
      ),
  },
  promptpay: { icon: QrCode, detailOf: () => 'สแกนจ่ายด้วยแอปธนาคารใดก็ได้ ร้านรู้ทันทีที่จ่าย' },
  truemoney: inApp('TrueMoney'),
  shopeepay: inApp('ShopeePay'),
  linepay: inApp('LINE Pay'),
  credit: { icon: Coins, detailOf: () => 'ตัดเครดิตทันที' },
}
