// What the demo shop sold in its last days without anybody choosing at a counter: codes of its stock, and to a machine.
import { NO_PLAYER } from '@shop/shared/catalogue/catalogue.ts'
import { createApiOrder } from '@shop/shared/reseller/v1-endpoints.ts'
import { regular } from './demo-accounts.ts'
import { type Bought, deliver, type Goods, pay, place, playerOf } from './demo-buying.ts'
import { STEAM_WARNING } from './demo-codes.ts'
import type { Act, DemoDesk } from './demo-desk.ts'
import { DEMO_SHOP_KEY } from './demo-reseller.ts'

/** One of each that is plenty: its pieces that expire soon leave first, and one of those stays. */
const CODES: readonly { ago: number; buyer: string; name: string }[] = [
  { ago: 3300, buyer: regular(4), name: '300 บาท' },
  { ago: 930, buyer: regular(1), name: '500 บาท' },
  { ago: 155, buyer: regular(7), name: '100 บาท' },
]

/** Codes that left the stock as soon as their money was there. */
export function codesSold(desk: DemoDesk): Act[] {
  return CODES.flatMap(({ ago, buyer, name }): Act[] => {
    const bought = {} as Bought
    const buy = async () => {
      const chosen = { ...(await desk.findOffer('steam', name)), playerId: NO_PLAYER, acceptedWarning: STEAM_WARNING }
      Object.assign(bought, await place(desk, desk.as(buyer), chosen))
    }
    const payAndRead = async () => {
      await pay(desk, bought)
      await desk.runJobs()
    }
    return [
      { ago, run: buy },
      { ago: ago - 2, run: payAndRead },
    ]
  })
}

const MACHINE: readonly { ago: number; goods: Goods; player: readonly string[]; worker: string }[] = [
  { ago: 3610, goods: ['freefire', '310 เพชร'], player: ['5812044190'], worker: 'demo-staff' },
  { ago: 2480, goods: ['rov', '230 คูปอง'], player: ['1B77C0D2E4', 'ฟ้าหลังฝน'], worker: 'demo-staff2' },
  { ago: 1010, goods: ['freefire', '520 เพชร'], player: ['5240088317'], worker: 'demo-manager2' },
  { ago: 185, goods: ['freefire', '310 เพชร'], player: ['5907711203'], worker: 'demo-staff2' },
]

/** What an agent's own shop ordered through the API, and staff delivered. */
export function byMachine(desk: DemoDesk): Act[] {
  const machine = desk.machine(DEMO_SHOP_KEY)
  return MACHINE.flatMap(({ ago, goods, player, worker }, nth): Act[] => {
    const bought = { id: '' }
    const order = async () => {
      const { packageId } = await desk.findOffer(...goods)
      const body = { ref: `WEB-${1042 + nth}`, packageId, ...playerOf(player), quantity: 1 }
      Object.assign(bought, await machine.call(createApiOrder, { body }))
    }
    return [
      { ago, run: order },
      { ago: ago - 11, run: () => deliver(desk, worker, bought.id) },
    ]
  })
}
