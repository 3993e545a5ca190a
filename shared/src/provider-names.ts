import { isKeyOf, keysOf, lookUp } from './table.ts'

/**
 * The outside services of which a shop uses one of several, with their names in configuration and database and their
 * names for people. A new one is a line here; the compiler then asks for its adapter and its stand-in.
 */
const SLIP_PROVIDER = { slipok: 'SlipOK', easyslip: 'EasySlip' } as const
export type SlipProviderName = keyof typeof SLIP_PROVIDER
export const SLIP_PROVIDER_NAMES = keysOf(SLIP_PROVIDER)

const SUPPLIER = { seagm: 'SEAGM', gamesdrop: 'GamesDrop', kinguin: 'Kinguin' } as const
export type SupplierName = keyof typeof SUPPLIER
export const SUPPLIER_NAMES = keysOf(SUPPLIER)

/** `payee` is who stands as the receiver on a buyer's bank screen, `sender` how a bank names who pays the shop out. */
const GATEWAY = {
  opn: { name: 'Opn Payments', payee: 'Omise', sender: /\b(omise|opn)\b/i },
  stripe: { name: 'Stripe', payee: 'Stripe', sender: /\bstripe\b/i },
} as const
export type GatewayName = keyof typeof GATEWAY
export const GATEWAY_NAMES = keysOf(GATEWAY)

/** Returns a slip provider's name for people, even of one that the shop used earlier. */
export const slipProviderLabel = (name: string): string => lookUp(SLIP_PROVIDER, name) ?? name
/** Returns a supplier's name for people, even of one that the shop used earlier. */
export const supplierLabel = (name: string): string => lookUp(SUPPLIER, name) ?? name
/** Returns a payment gateway's name for people, even of one that the shop used earlier. */
export const gatewayLabel = (name: string): string => (isKeyOf(GATEWAY, name) ? GATEWAY[name].name : name)
export const gatewayPayee = (name: GatewayName): string => GATEWAY[name].payee
/** Tells whether a bank's words about money that came in name a gateway. */
export const isFromGateway = (name: GatewayName, detail: string): boolean => GATEWAY[name].sender.test(detail)
