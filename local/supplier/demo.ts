import type { SupplierName } from '@shop/shared/provider-names.ts'
import { demoGames } from '../demo-catalogue.ts'
import type { Product } from './register.ts'

/** The demo shop has this game's packages delivered automatically. */
export const AUTOMATIC_GAME = 'codm'
/** SEAGM's stand-in sells the packages of these games. */
const SOLD = [AUTOMATIC_GAME, 'pubg']

const topUps: Product[] = demoGames
  .filter(({ code }) => SOLD.includes(code))
  .flatMap(({ code, name: game, fields, packages }) =>
    packages.map(([name, , walletBaht], index) => ({
      id: `${code === AUTOMATIC_GAME ? 20 : 10}${String(index + 1).padStart(2, '0')}`,
      category: { id: code, name: game },
      name,
      priceSatang: walletBaht * 82,
      fields: fields.map((_, place) => `field${place + 1}`),
    })),
  )

/** Codes that the demo shop sells: name, price by bank transfer, price from the wallet, cost, all in baht. */
const CODES = [
  ['บัตรของขวัญ 800 Robux', 365, 355, 290],
  ['บัตรของขวัญ 2,000 Robux', 879, 859, 712],
] as const

/** What a buyer of these codes agrees to. */
export const CODES_WARNING = 'ใช้ได้กับบัญชี Roblox ที่ตั้งประเทศไทยเท่านั้น เปลี่ยนหรือคืนรหัสไม่ได้หลังเปิดดู'

const codes: (Product & { bankBaht: number; walletBaht: number })[] = CODES.map(
  ([name, bankBaht, walletBaht, costBaht], index) => ({
    id: String(3001 + index),
    category: { id: 'roblox', name: 'Roblox' },
    name,
    priceSatang: costBaht * 100,
    fields: [],
    delivers: 'code',
    seconds: 0,
    bankBaht,
    walletBaht,
  }),
)

/** What each stand-in sells to the demo shop, the money that the shop has there, and the port where it listens. */
export const demoSuppliers = [
  { name: 'seagm', port: 'supplier', products: topUps, balanceSatang: 2_000_000 },
  { name: 'gamesdrop', port: 'gamesDrop', products: codes, balanceSatang: 1_600_000 },
] as const satisfies readonly {
  name: SupplierName
  port: string
  products: readonly Product[]
  balanceSatang: number
}[]

export const demoTopUps: readonly Product[] = topUps
export const demoCodes = codes
