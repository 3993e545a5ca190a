import { type Action, type Caller, can } from '../permissions.ts'
import { isOneOf } from '../table.ts'

/** The payment methods that packages have prices for. */
export const PRICE_CODES = ['bank', 'wallet'] as const
export type PriceCode = (typeof PRICE_CODES)[number]
/** The payment methods that a payment gateway collects; they sell at the price of a bank transfer. */
export const GATEWAY_METHODS = ['promptpay', 'truemoney', 'shopeepay', 'linepay'] as const
export type GatewayMethod = (typeof GATEWAY_METHODS)[number]
/** As a new shop offers them: first those whose money it sees as soon as it is paid. */
export const PAYMENT_CODES = [...GATEWAY_METHODS, ...PRICE_CODES, 'credit'] as const
export type PaymentCode = (typeof PAYMENT_CODES)[number]
export const isGatewayMethod = (code: PaymentCode): code is GatewayMethod => isOneOf(GATEWAY_METHODS, code)

/** How money comes in: by a transfer of an exact amount, from a wallet, through a gateway, or from shop credit alone. */
export const PAYMENT_KINDS = ['bank', 'wallet', 'gateway', 'credit'] as const satisfies (
  | PriceCode
  | 'gateway'
  | 'credit'
)[]
export type PaymentKind = (typeof PAYMENT_KINDS)[number]

interface PaymentMethodEntry {
  name: string
  kind: PaymentKind
  /** Whose prices it sells at. */
  price: PriceCode
  allow: Action
}

const gateway = { kind: 'gateway', price: 'bank', allow: 'order.payByBank' } as const
/**
 * The payment methods. order/order.ts tells what each kind means for an order's money, purchase.ts what it means for a
 * purchase.
 */
export const PAYMENT_METHOD: Record<PaymentCode, PaymentMethodEntry> = {
  bank: { name: 'โอนเงินธนาคาร', kind: 'bank', price: 'bank', allow: 'order.payByBank' },
  wallet: { name: 'Wallet', kind: 'wallet', price: 'wallet', allow: 'order.payByWallet' },
  promptpay: { name: 'พร้อมเพย์ QR', ...gateway },
  truemoney: { name: 'TrueMoney Wallet', ...gateway },
  shopeepay: { name: 'ShopeePay', ...gateway },
  linepay: { name: 'LINE Pay', ...gateway },
  credit: { name: 'เครดิตร้าน', kind: 'credit', price: 'bank', allow: 'credit.own' },
}

/** The payment methods a caller may buy with. */
export const paymentMethodsFor = (caller: Caller): PaymentCode[] =>
  PAYMENT_CODES.filter(code => can(caller, PAYMENT_METHOD[code].allow))
