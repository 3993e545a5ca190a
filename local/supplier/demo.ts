import { demoGames } from '../demo-catalogue.ts'
import type { Product } from './register.ts'

/** The demo shop has this game's packages delivered automatically. */
export const AUTOMATIC_GAME = 'codm'
/** The stand-in sells the packages of these games. */
const SOLD = [AUTOMATIC_GAME, 'pubg']

const products: Product[] = demoGames
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

/** What the stand-in sells to the demo shop, and the money that the shop has there. */
export const demoSupplier = { products, balanceSatang: 2_000_000 }
