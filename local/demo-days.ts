// The last days of the demo shop, lived through its own API: what waits in it now, and what was done before.
import { addSeconds } from '@shop/shared/time.ts'
import { byMachine, codesSold } from './demo-automatic.ts'
import { ordinaryDays, refunds, strayMoney, waitingWork } from './demo-buying.ts'
import { openDesk } from './demo-desk.ts'
import { payouts } from './demo-gateway.ts'
import { office, topUps } from './demo-office.ts'
import { bySuppliers, costs } from './demo-suppliers.ts'

/** How many days are lived; of the time before only what became of orders is known. */
export const LIVED_DAYS = 3

/** Lives the last days up to `now`, act by act. */
export async function liveDemoDays(databaseUrl: string, at: { filesDir: string; now: Date }): Promise<void> {
  const desk = await openDesk(databaseUrl, at.filesDir)
  try {
    const stories = [ordinaryDays, byMachine, codesSold, bySuppliers, waitingWork, strayMoney, refunds, topUps, office]
    const acts = [...stories, costs, payouts].flatMap(story => story(desk))
    for (const { ago, run } of acts.sort((a, b) => b.ago - a.ago)) {
      await desk.moveTo(addSeconds(at.now, -ago * 60))
      await run()
    }
  } finally {
    await desk.close()
  }
}
