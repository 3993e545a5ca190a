/**
 * The outside services of which a shop uses one of several, with their names in configuration and database and their
 * names for people. A new one is a line here; the compiler then asks for its adapter and its stand-in.
 */
const SLIP_PROVIDER = { slipok: 'SlipOK', easyslip: 'EasySlip' } as const
export type SlipProviderName = keyof typeof SLIP_PROVIDER
export const SLIP_PROVIDER_NAMES = Object.keys(SLIP_PROVIDER) as SlipProviderName[]

const SUPPLIER = { seagm: 'SEAGM' } as const
export type SupplierName = keyof typeof SUPPLIER
export const SUPPLIER_NAMES = Object.keys(SUPPLIER) as SupplierName[]

/** Returns a slip provider's name for people, even of one that the shop used earlier. */
export const slipProviderLabel = (name: string): string => (SLIP_PROVIDER as Record<string, string>)[name] ?? name
/** Returns a supplier's name for people, even of one that the shop used earlier. */
export const supplierLabel = (name: string): string => (SUPPLIER as Record<string, string>)[name] ?? name
