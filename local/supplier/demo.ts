import { demoGames } from '../demo-catalogue.ts'
import type { Product } from './register.ts'

/** Its packages are on automatic delivery in the demo shop. */
export const AUTOMATIC_GAME = 'codm'
/** Games whose packages the stand-in sells. */
const SOLD = [AUTOMATIC_GAME, 'pubg']

const products: Product[] = demoGames
  .filter(({ code }) => SOLD.includes(code))
  .flatMap(({ code, name: game, fields, packages }) =>
    packages.map(([name, , walletBaht], index) => ({
      id: `${code === AUTOMATIC_GAME ? 20 : 10}${String(index + 1).padStart(2, '0')}`,
      category: { id: code, name: game },
      name,
      priceSatang: Math.floor(walletBaht * 92),
      fields: fields.map((_, place) => `field${place + 1}`),
    })),
  )

/** What the stand-in sells to the demo shop, and the shop's money there. */
export const demoSupplier = { products, balanceSatang: 2_000_000 }
