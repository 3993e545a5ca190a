import { OPTION } from '@shop/shared/settings/option.ts'
import { addSeconds, DAY_MS } from '@shop/shared/time.ts'
import { approveTopUp, enterTopUp, type TopUp } from '@shop/shared/wallet/top-up.ts'
import { eq } from 'drizzle-orm'
import { setPin } from 'functions/src/access/pin.ts'
import { developmentPins } from 'functions/src/account/pins.ts'
import { account } from 'functions/src/account/tables.ts'
import { agentBank } from 'functions/src/agent/tables.ts'
import { agentTier } from 'functions/src/catalogue/tables.ts'
import type { Sql } from 'functions/src/database/database.ts'
import { useTransfer } from 'functions/src/transfer/store.ts'
import type { Files } from 'functions/src/upload/files.ts'
import { insertSlip, useSlip } from 'functions/src/upload/store.ts'
import { findWallet, postLedger } from 'functions/src/wallet/store.ts'
import { wallet } from 'functions/src/wallet/tables.ts'
import { insertTopUp, saveTopUp } from 'functions/src/wallet/top-up-store.ts'
import { newTopUpNo } from 'functions/src/wallet/top-ups.ts'
import { uuidv7 } from 'uuidv7'
import { DEMO_PAYER, drawSlip, slipQrText } from './demo-slip.ts'

/** The PIN of every demo wallet. */
export const DEMO_PIN = '1234'

const TWO_APPROVERS_ABOVE_SATANG = OPTION.TWO_PERSON_APPROVAL_AMOUNT.standard * 100

/** Agents with their tier and what they topped up, in baht and days ago. */
const demoWallets = [
  {
    uid: 'demo-agent',
    tier: 'Gold',
    topUps: [
      [3000, 40],
      [2000, 12],
    ],
  },
  { uid: 'demo-agent2', tier: 'Silver', topUps: [[1200, 20]] },
  { uid: 'demo-newagent', tier: 'Silver', topUps: [] },
] as const

/** Gives the demo agents their wallets, PIN and top-ups; all money comes in through approval and the ledger. */
export async function insertDemoWallets(tx: Sql, files: Files, now: Date): Promise<void> {
  const tiers = await tx.orm.select({ id: agentTier.id, name: agentTier.name }).from(agentTier)
  const pins = developmentPins()
  for (const { uid, tier, topUps } of demoWallets) {
    const [owner] = await tx.orm.select({ createdAt: account.createdAt }).from(account).where(eq(account.uid, uid))
    const { createdAt } = owner!
    const id = uuidv7()
    await tx.orm.insert(wallet).values({ id, uid, tierId: tiers.find(each => each.name === tier)!.id, createdAt })
    await setPin(tx, uid, pins.hash(uid, DEMO_PIN))
    // The account from which the slips come.
    await tx.orm.insert(agentBank).values({ uid, bankCode: '014', bankAccount: DEMO_PAYER.accountNo })
    for (const [baht, daysAgo] of topUps) {
      const at = new Date(now.getTime() - daysAgo * DAY_MS)
      await approve(tx, await request(tx, files, id, uid, baht, at))
    }
  }
}

/** An agent's request with its slip. */
async function request(tx: Sql, files: Files, walletId: string, uid: string, baht: number, at: Date): Promise<TopUp> {
  const limits = await findWallet(tx, walletId)
  const id = uuidv7()
  const slipId = uuidv7()
  const reference = `${at.toISOString().slice(0, 10).replaceAll('-', '')}${String(baht).padStart(17, '0')}`
  const body = await drawSlip('014', reference, { amountSatang: baht * 100, at: addSeconds(at, -300) })
  const fileKey = `slips/${slipId}.jpg`
  await files.write(fileKey, body, 'image/jpeg')
  const uploaderKey = `u:${uid}`
  await insertSlip(tx, {
    id: slipId,
    uploaderKey,
    pictureHash: null,
    fileKey,
    width: 720,
    height: 1280,
    byteSize: body.byteLength,
    usedFor: null,
    sendingBank: '014',
    bankReference: reference,
    qrText: slipQrText('014', reference),
    createdAt: at,
  })
  await useSlip(tx, { slipId, uploaderKey, usedFor: id })
  const draft = { id, no: newTopUpNo(at), walletId, ownerUid: uid, enteredBy: uid }
  const topUp = enterTopUp({ ...draft, amountSatang: baht * 100, slipId, receivingAccountId: 1 }, limits!, at)
  await insertTopUp(tx, topUp)
  return topUp
}

async function approve(tx: Sql, topUp: TopUp): Promise<void> {
  const at = addSeconds(topUp.createdAt, 900)
  const limits = await findWallet(tx, topUp.walletId)
  const weight = { twoApproversAboveSatang: TWO_APPROVERS_ABOVE_SATANG, receivedTodaySatang: 0 }
  const approver = { uid: 'demo-manager', ...weight, recentlyReset: [], lineAccountId: null }
  const outcome = approveTopUp(topUp, limits!, approver, { reason: null, receivingAccountId: null, toldAt: null }, at)
  await saveTopUp(tx, outcome.topUp)
  if (outcome.uses) await useTransfer(tx, outcome.uses, at)
  if (outcome.ledger) await postLedger(tx, { ...outcome.ledger, id: uuidv7(), subjectId: topUp.id, at })
}
