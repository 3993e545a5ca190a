import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
import type { TopUpForStaff } from '@shop/shared/wallet/endpoints.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import {
  approvalBarrier,
  approveTopUp,
  canCorrectTopUp,
  correctTopUp,
  needsTwoApprovers,
  rejectTopUp,
  roomOf,
  type TopUp,
  type TopUpOutcome,
} from '@shop/shared/wallet/top-up.ts'
import { uuidv7 } from 'uuidv7'
import { insertAudit } from '../audit/store.ts'
import { isReceivingAccount } from '../catalogue/store.ts'
import type { Sql } from '../database/database.ts'
import { csvReply } from '../http/csv.ts'
import { runOnce } from '../http/idempotency.ts'
import { type Context, mustBeOnce, type Route, route } from '../http/route.ts'
import { findSettings } from '../settings/store.ts'
import { releaseSlip } from '../upload/store.ts'
import { addTopUp, HISTORY_HEADER, historyCells, type TopUpRequest, topUpReply, uidOf, viewLine } from './handlers.ts'
import { findHistory, findHistoryForExport } from './history-store.ts'
import {
  findBalanceBefore,
  findLedgerTransaction,
  findWallet,
  findWallets,
  lockWallet,
  postLedger,
  type Wallet,
} from './store.ts'
import { findTopUp, lockTopUp, saveTopUp } from './top-up-store.ts'

const SEARCH_LIMIT = 20

async function twoApproversAbove(db: Sql): Promise<number> {
  return (await findSettings(db)).TWO_PERSON_APPROVAL_AMOUNT * 100
}

async function listAll(context: Context, query: ParsedInput<typeof contract.listAllTransactions>['query']) {
  const { rows, total } = await findHistory(context.shop.db, query)
  const page = rows.map(line => ({
    ...viewLine(line, uidOf(context)),
    walletId: line.walletId,
    uid: line.ownerUid,
    agentName: line.agentName,
    tierName: line.tierName,
    isTopUp: line.isTopUp,
  }))
  return { rows: page, total, nowDate: context.now.toISOString() }
}

async function exportAll(context: Context, query: ParsedInput<typeof contract.exportAllTransactions>['query']) {
  const lines = await findHistoryForExport(context.shop.db, query)
  const rows = lines.map(line => [...historyCells(line), line.agentName, line.tierName])
  return csvReply([...HISTORY_HEADER, 'ตัวแทน', 'Tier'], rows, context.now)
}

async function viewTopUp(context: Context, id: string): Promise<TopUpForStaff> {
  const { db } = context.shop
  const [record, aboveSatang] = await Promise.all([findTopUp(db, id), twoApproversAbove(db)])
  if (!record) throw new AppError('NOT_FOUND')
  const { topUp, ...people } = record
  const wallet = await findWallet(db, topUp.walletId)
  invariant(wallet, 'a top-up names a wallet')
  const mayDecide = can(context.caller, 'wallet.approve')
  return {
    ...people,
    id: topUp.id,
    no: topUp.no,
    version: topUp.version,
    status: topUp.status,
    amountSatang: topUp.amountSatang,
    createdDate: topUp.createdAt.toISOString(),
    walletId: wallet.id,
    uid: wallet.uid,
    tierName: wallet.tierName,
    balanceSatang: wallet.balanceSatang,
    maxAmountSatang: wallet.maxAmountSatang,
    roomSatang: roomOf(wallet),
    slipId: topUp.slipId,
    receivingAccountId: topUp.receivingAccountId,
    decidedDate: topUp.decidedAt?.toISOString() ?? null,
    reason: topUp.reason,
    needsTwoApprovers: needsTwoApprovers(topUp, aboveSatang),
    approvalBarrier: mayDecide ? barrierOf(topUp, wallet, uidOf(context), aboveSatang) : 'FORBIDDEN',
    canReject: mayDecide && topUp.status === 'waiting_approve',
    isCorrected: topUp.correctedAt !== null,
    canCorrect: mayDecide && canCorrectTopUp(topUp, uidOf(context)) && wallet.balanceSatang >= topUp.amountSatang,
  }
}

function barrierOf(topUp: TopUp, wallet: Wallet, uid: string, aboveSatang: number): TopUpForStaff['approvalBarrier'] {
  return approvalBarrier(topUp, uid, aboveSatang) ?? (topUp.amountSatang > roomOf(wallet) ? 'TOP_UP_ABOVE_ROOM' : null)
}

/** What the audit log keeps of a top-up. */
const audited = ({ no, walletId, status, amountSatang, firstApprovedBy, reason, correctedAt }: TopUp) => ({
  ...{ no, walletId, status, amountSatang, firstApprovedBy, reason },
  ...(correctedAt && { correctedAt: correctedAt.toISOString() }),
})

/** Saves a decision of the back office: the top-up, its money and the audit row. */
async function saveDecision(tx: Sql, context: Context, action: string, before: TopUp | null, outcome: TopUpOutcome) {
  const { topUp, ledger } = outcome
  if (before) await saveTopUp(tx, topUp)
  if (ledger) await postLedger(tx, { ...ledger, id: uuidv7(), subjectId: topUp.id, at: context.now })
  await insertAudit(tx, {
    actorUid: uidOf(context),
    actorRole: context.caller,
    action,
    subject: `topUp:${topUp.id}`,
    before: before && audited(before),
    after: audited(topUp),
    at: context.now,
  })
}

type Decision = ParsedInput<typeof contract.decideTopUp>['body']

async function decideOnce(tx: Sql, context: Context, decision: Decision) {
  const { id, version, status, reason = null, receivingAccountId = null } = decision
  const topUp = await lockTopUp(tx, id)
  if (!topUp) throw new AppError('NOT_FOUND')
  if (topUp.status === 'waiting_approve' && topUp.version !== version) throw new AppError('CONFLICT')
  if (status === 'reject') {
    const rejected = rejectTopUp(topUp, uidOf(context), reason, context.now)
    await releaseSlip(tx, topUp.slipId, id)
    await saveDecision(tx, context, 'topUp.reject', topUp, { topUp: rejected, ledger: null })
    return topUpReply(rejected)
  }
  if (receivingAccountId !== null && !(await isReceivingAccount(tx, receivingAccountId)))
    throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  const wallet = await lockWallet(tx, topUp.walletId)
  const approval = { uid: uidOf(context), reason, receivingAccountId }
  const twoApproversAboveSatang = await twoApproversAbove(tx)
  const outcome = approveTopUp(topUp, wallet, { ...approval, twoApproversAboveSatang }, context.now)
  await saveDecision(tx, context, 'topUp.approve', topUp, outcome)
  return topUpReply(outcome.topUp)
}

async function addOnBehalf(context: Context, walletId: string, request: TopUpRequest) {
  if (!(await findWallet(context.shop.db, walletId))) throw new AppError('WALLET_NOT_FOUND')
  return runOnce(context.shop.db, mustBeOnce(context), context.now, async tx => {
    const topUp = await addTopUp(tx, context, walletId, request)
    await saveDecision(tx, context, 'topUp.add', null, { topUp, ledger: null })
    return topUpReply(topUp)
  })
}

async function correctOnce(tx: Sql, context: Context, id: string, reason: string) {
  const topUp = await lockTopUp(tx, id)
  if (!topUp) throw new AppError('NOT_FOUND')
  const wallet = await lockWallet(tx, topUp.walletId)
  const original = await findLedgerTransaction(tx, { subjectId: id, kind: 'top_up' })
  if (!original) throw new AppError('CONFLICT')
  const outcome = correctTopUp(topUp, original, wallet.balanceSatang, { uid: uidOf(context), reason }, context.now)
  await saveDecision(tx, context, 'topUp.correct', topUp, outcome)
  return { id, no: topUp.no, balanceSatang: wallet.balanceSatang - topUp.amountSatang }
}

async function searchWallets(context: Context, name: string) {
  const wallets = await findWallets(context.shop.db, name, SEARCH_LIMIT)
  return wallets.map(wallet => ({ ...wallet, roomSatang: roomOf(wallet) }))
}

async function balanceAt(context: Context, walletId: string, at: string | undefined) {
  if (!(await findWallet(context.shop.db, walletId))) throw new AppError('WALLET_NOT_FOUND')
  const moment = at ? new Date(at) : context.now
  // What was posted in that very millisecond counts.
  const balanceSatang = await findBalanceBefore(context.shop.db, walletId, new Date(moment.getTime() + 1))
  return { walletId, at: moment.toISOString(), balanceSatang }
}

export const walletStaffRoutes: Route[] = [
  route(contract.listAllTransactions, ({ query }, context) => listAll(context, query)),
  route(contract.exportAllTransactions, ({ query }, context) => exportAll(context, query)),
  route(contract.getTopUpForStaff, ({ params }, context) => viewTopUp(context, params.id)),
  route(contract.decideTopUp, ({ body }, context) =>
    runOnce(context.shop.db, mustBeOnce(context), context.now, tx => decideOnce(tx, context, body)),
  ),
  route(contract.addTopUp, ({ body: { walletId, ...request } }, context) => addOnBehalf(context, walletId, request)),
  route(contract.correctTopUp, ({ body }, context) =>
    runOnce(context.shop.db, mustBeOnce(context), context.now, tx => correctOnce(tx, context, body.id, body.reason)),
  ),
  route(contract.searchWallets, ({ query }, context) => searchWallets(context, query.name ?? '')),
  route(contract.getBalanceAt, ({ params, query }, context) => balanceAt(context, params.walletId, query.at)),
]
