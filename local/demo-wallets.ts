import { eq } from 'drizzle-orm'
import { hashPin, setPin } from 'functions/src/account/pin.ts'
import { account } from 'functions/src/account/tables.ts'
import { agentTier } from 'functions/src/agent/tables.ts'
import type { Sql } from 'functions/src/database/database.ts'
import { postLedger } from 'functions/src/wallet/store.ts'
import { wallet } from 'functions/src/wallet/tables.ts'
import { uuidv7 } from 'uuidv7'

/** The PIN of every demo wallet. */
export const DEMO_PIN = '1234'

/** Agents with their tier and what they carried over, in baht. */
const demoWallets = [
  { uid: 'demo-agent', tier: 'Gold', baht: 5000 },
  { uid: 'demo-agent2', tier: 'Silver', baht: 1200 },
  { uid: 'demo-newagent', tier: 'Silver', baht: 0 },
] as const

/** Gives the demo agents their wallets and PIN; opening balances come in through the ledger like all money. */
export async function insertDemoWallets(tx: Sql): Promise<void> {
  const tiers = await tx.orm.select({ id: agentTier.id, name: agentTier.name }).from(agentTier)
  const pinHash = await hashPin(DEMO_PIN)
  for (const { uid, tier, baht } of demoWallets) {
    const [owner] = await tx.orm
      .select({ createdAt: account.createdAt, hasChangedPin: account.isPinChange })
      .from(account)
      .where(eq(account.uid, uid))
    const { createdAt, hasChangedPin } = owner!
    const id = uuidv7()
    await tx.orm.insert(wallet).values({ id, uid, tierId: tiers.find(each => each.name === tier)!.id, createdAt })
    await setPin(tx, uid, pinHash, !hasChangedPin)
    if (baht === 0) continue
    await postLedger(tx, {
      id: uuidv7(),
      kind: 'correction',
      subjectId: id,
      reason: 'ยอดยกมา',
      reversesId: null,
      at: createdAt,
      postings: [{ from: 'bank:1', to: `wallet:${id}`, amountSatang: baht * 100 }],
    })
  }
}
