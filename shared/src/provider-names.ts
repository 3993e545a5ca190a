/**
 * The outside services of which a shop has one of several, by the names that its configuration and database know them by,
 * and what people call them. A new one is a line here; the compiler then asks for its adapter and its stand-in.
 */
const SLIP_PROVIDER = { slipok: 'SlipOK', easyslip: 'EasySlip' } as const
export type SlipProviderName = keyof typeof SLIP_PROVIDER
export const SLIP_PROVIDER_NAMES = Object.keys(SLIP_PROVIDER) as SlipProviderName[]

const SUPPLIER = { seagm: 'SEAGM' } as const
export type SupplierName = keyof typeof SUPPLIER
export const SUPPLIER_NAMES = Object.keys(SUPPLIER) as SupplierName[]

/** What people call a slip provider, also one that the shop had before. */
export const slipProviderLabel = (name: string): string => (SLIP_PROVIDER as Record<string, string>)[name] ?? name
/** The same of a supplier. */
export const supplierLabel = (name: string): string => (SUPPLIER as Record<string, string>)[name] ?? name
