import { randomInt } from 'node:crypto'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { toDecimalText } from '@shop/shared/money.ts'
import { bangkokMonth, bangkokMonthOf, formatDateTimeSeconds } from '@shop/shared/time.ts'
import type { WalletStatement, WalletTransaction, WalletView } from '@shop/shared/wallet/endpoints.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import {
  canCancelTopUp,
  cancelTopUp,
  canEditTopUp,
  editTopUp,
  enterTopUp,
  roomOf,
  TOP_UP_STATUS_LABELS,
  TOP_UP_STATUSES,
  type TopUp,
} from '@shop/shared/wallet/top-up.ts'
import { uuidv7 } from 'uuidv7'
import { isReceivingAccount } from '../catalogue/store.ts'
import type { Sql } from '../database/database.ts'
import { csvReply } from '../http/csv.ts'
import { runOnce } from '../http/idempotency.ts'
import { type Context, mustBeOnce, type Route, route } from '../http/route.ts'
import { releaseSlip, useSlip } from '../upload/store.ts'
import { findHistory, findHistoryForExport, findStatementLines, type HistoryLine } from './history-store.ts'
import { findBalanceBefore, findTopUpSums, findWallet, lockWallet, type Wallet } from './store.ts'
import { insertTopUp, lockTopUp, saveTopUp } from './top-up-store.ts'

/** The caller's uid; the endpoints of this noun are for signed-in people only. */
export function uidOf(context: Context): string {
  invariant(context.uid, 'only signed-in people reach the wallet')
  return context.uid
}

function ownWalletId(context: Context): string {
  const walletId = context.account?.walletId
  if (!walletId) throw new AppError('WALLET_NOT_FOUND')
  return walletId
}

async function ownWallet(context: Context): Promise<Wallet> {
  const wallet = await findWallet(context.shop.db, ownWalletId(context))
  invariant(wallet, 'the wallet of an account exists')
  return wallet
}

async function viewWallet(context: Context): Promise<WalletView> {
  const wallet = await ownWallet(context)
  const month = bangkokMonth(bangkokMonthOf(context.now))
  const { waitingSatang, approvedSatang } = await findTopUpSums(context.shop.db, wallet.id, month)
  return {
    id: wallet.id,
    tier: { id: wallet.tierId, name: wallet.tierName },
    balanceSatang: wallet.balanceSatang,
    maxAmountSatang: wallet.maxAmountSatang,
    minTopUpSatang: wallet.minTopUpSatang,
    maxAmountPerOrderSatang: wallet.maxAmountPerOrderSatang,
    maxItemPerOrder: wallet.maxItemPerOrder,
    waitingSatang,
    thisMonthSatang: approvedSatang,
    roomSatang: roomOf(wallet),
    nowDate: context.now.toISOString(),
  }
}

/** A line of the history as `uid` may see and change it. */
export function viewLine(line: HistoryLine, uid: string): WalletTransaction {
  const {
    createdAt,
    isTopUp,
    enteredBy,
    walletId: _wallet,
    ownerUid,
    agentName: _name,
    tierName: _tier,
    ...shown
  } = line
  const mine = { status: line.status, enteredBy: enteredBy ?? '', ownerUid }
  return {
    ...shown,
    unit: 'บาท',
    createdDate: createdAt.toISOString(),
    canEdit: isTopUp && canEditTopUp(mine, uid),
    canCancel: isTopUp && canCancelTopUp(mine, uid),
  }
}

async function listTransactions(context: Context, query: ParsedInput<typeof contract.listOwnTransactions>['query']) {
  const { rows, total } = await findHistory(context.shop.db, { ...query, walletId: ownWalletId(context) })
  return { rows: rows.map(row => viewLine(row, uidOf(context))), total, nowDate: context.now.toISOString() }
}

/** Columns of the history's CSV; amounts are plain decimals in baht. */
export const HISTORY_HEADER = ['วันที่', 'เลขที่รายการ', 'ประเภท', 'ฝาก/ถอน', 'จำนวนเงิน', 'หน่วย', 'สถานะ', 'รายละเอียด']
export const historyCells = (line: HistoryLine): string[] => [
  formatDateTimeSeconds(line.createdAt),
  line.no,
  line.actionType,
  line.transType,
  toDecimalText(line.amountSatang),
  'บาท',
  TOP_UP_STATUS_LABELS[line.status],
  [line.gameName, line.packageName, line.reason].filter(Boolean).join(' '),
]

async function statementOf(context: Context, month: string): Promise<WalletStatement> {
  const { db } = context.shop
  const walletId = ownWalletId(context)
  const period = bangkokMonth(month)
  const openingSatang = await findBalanceBefore(db, walletId, period.from)
  let balanceSatang = openingSatang
  const rows = (await findStatementLines(db, walletId, period)).map(line => {
    balanceSatang += line.amountSatang
    return { ...line, at: line.at.toISOString(), balanceSatang }
  })
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  const moved = rows.map(row => row.amountSatang)
  const inSatang = sum(moved.filter(amount => amount > 0))
  const outSatang = -sum(moved.filter(amount => amount < 0))
  return { month, openingSatang, inSatang, outSatang, closingSatang: balanceSatang, rows }
}

async function exportStatement(context: Context, month: string) {
  const { openingSatang, closingSatang, rows } = await statementOf(context, month)
  const lines = rows.map(({ at, no, actionType, transType, detail, amountSatang, balanceSatang }) => [
    ...[formatDateTimeSeconds(at), no, actionType, transType, detail],
    ...[toDecimalText(amountSatang), toDecimalText(balanceSatang)],
  ])
  const total = (label: string, amountSatang: number) => ['', '', '', '', label, '', toDecimalText(amountSatang)]
  const body = [total('ยอดยกมา', openingSatang), ...lines, total('ยอดยกไป', closingSatang)]
  const header = ['วันที่', 'เลขที่รายการ', 'ประเภท', 'ฝาก/ถอน', 'รายละเอียด', 'จำนวนเงิน', 'ยอดคงเหลือ']
  return csvReply(header, body, context.now)
}

/** "WT2611-04821937": like an order's number, so that people can read it out. */
export const newTopUpNo = (now: Date): string => {
  const month = bangkokMonthOf(now)
  return `WT${month.slice(2, 4)}${month.slice(5, 7)}-${String(randomInt(100_000_000)).padStart(8, '0')}`
}

export interface TopUpRequest {
  amountSatang: number
  slipId: string | null
  receivingAccountId?: number | null
}

/** The request with its receiving account checked and its slip given to this top-up and to no other. */
async function claimSlip(tx: Sql, context: Context, topUpId: string, request: TopUpRequest) {
  const { amountSatang, slipId, receivingAccountId = null } = request
  if (receivingAccountId !== null && !(await isReceivingAccount(tx, receivingAccountId)))
    throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  if (slipId) await useSlip(tx, { slipId, uploaderKey: `u:${uidOf(context)}`, usedFor: topUpId })
  return { amountSatang, slipId, receivingAccountId }
}

/** Enters a request on a wallet, for its owner or by staff on the owner's behalf. */
export async function addTopUp(tx: Sql, context: Context, walletId: string, request: TopUpRequest): Promise<TopUp> {
  const wallet = await lockWallet(tx, walletId)
  const id = uuidv7()
  const draft = { id, no: newTopUpNo(context.now), walletId, ownerUid: wallet.uid, enteredBy: uidOf(context) }
  const topUp = enterTopUp({ ...draft, ...(await claimSlip(tx, context, id, request)) }, wallet, context.now)
  for (let drawn = topUp; ; drawn = { ...topUp, no: newTopUpNo(context.now) }) {
    if (await insertTopUp(tx, drawn)) return drawn
  }
}

async function changeTopUp(tx: Sql, context: Context, id: string, request: TopUpRequest): Promise<TopUp> {
  const topUp = await lockTopUp(tx, id)
  if (!topUp) throw new AppError('NOT_FOUND')
  const wallet = await lockWallet(tx, topUp.walletId)
  // Who may edit is decided before a slip is touched.
  const slip = { slipId: request.slipId, receivingAccountId: request.receivingAccountId ?? null }
  const edited = editTopUp(topUp, { ...slip, amountSatang: request.amountSatang }, wallet, uidOf(context))
  if (topUp.slipId !== request.slipId) await releaseSlip(tx, topUp.slipId, id)
  await claimSlip(tx, context, id, request)
  await saveTopUp(tx, edited)
  return edited
}

export const topUpReply = ({ id, no, status }: TopUp) => ({ id, no, status })

async function saveOwnTopUp(context: Context, body: ParsedInput<typeof contract.saveTopUp>['body']) {
  const walletId = ownWalletId(context)
  const { id, ...request } = body
  return runOnce(context.shop.db, mustBeOnce(context), context.now, async tx =>
    topUpReply(id ? await changeTopUp(tx, context, id, request) : await addTopUp(tx, context, walletId, request)),
  )
}

async function cancelOwnTopUp(context: Context, id: string) {
  return context.shop.db.transaction(async tx => {
    const topUp = await lockTopUp(tx, id)
    if (!topUp) throw new AppError('NOT_FOUND')
    const cancelled = cancelTopUp(topUp, uidOf(context), context.now)
    await releaseSlip(tx, topUp.slipId, id)
    await saveTopUp(tx, cancelled)
    return topUpReply(cancelled)
  })
}

export const walletRoutes: Route[] = [
  route(contract.getWallet, (_, context) => viewWallet(context)),
  route(contract.listOwnTransactions, ({ query }, context) => listTransactions(context, query)),
  route(contract.exportOwnTransactions, async ({ query }, context) => {
    const lines = await findHistoryForExport(context.shop.db, { ...query, walletId: ownWalletId(context) })
    return csvReply(HISTORY_HEADER, lines.map(historyCells), context.now)
  }),
  route(contract.getStatement, ({ params }, context) => statementOf(context, params.month)),
  route(contract.exportStatement, ({ params }, context) => exportStatement(context, params.month)),
  route(contract.saveTopUp, ({ body }, context) => saveOwnTopUp(context, body)),
  route(contract.cancelTopUp, ({ body }, context) => cancelOwnTopUp(context, body.id)),
  route(contract.listWalletStatuses, async () =>
    TOP_UP_STATUSES.map(code => ({ code, name: TOP_UP_STATUS_LABELS[code] })),
  ),
]
