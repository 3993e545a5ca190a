import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { toDecimalText } from '@shop/shared/money.ts'
import { bangkokMonth, bangkokMonthOf, formatDateTimeSeconds } from '@shop/shared/time.ts'
import type { WalletStatement, WalletView } from '@shop/shared/wallet/endpoints.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import { roomOf, TOP_UP_STATUS_LABELS, TOP_UP_STATUSES } from '@shop/shared/wallet/top-up.ts'
import { csvReply } from '../http/csv.ts'
import { runOnce } from '../http/idempotency.ts'
import { type Context, mustBeOnce, personOf, type Route, route } from '../http/route.ts'
import { findHistory, findHistoryForExport, findStatementLines } from './history-store.ts'
import { findBalanceBefore, findTopUpSums, findWallet, type Wallet } from './store.ts'
import * as topUps from './top-ups.ts'
import { HISTORY_HEADER, historyCells, topUpReply, viewLine } from './view.ts'

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

async function listTransactions(context: Context, query: ParsedInput<typeof contract.listOwnTransactions>['query']) {
  const { rows, total } = await findHistory(context.shop.db, { ...query, walletId: ownWalletId(context) })
  return { rows: rows.map(row => viewLine(row, personOf(context).uid)), total, nowDate: context.now.toISOString() }
}

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

async function saveOwnTopUp(context: Context, body: ParsedInput<typeof contract.saveTopUp>['body']) {
  const walletId = ownWalletId(context)
  const { id, ...request } = body
  return runOnce(context.shop.db, mustBeOnce(context), context.now, async tx =>
    topUpReply(
      id
        ? await topUps.change(tx, personOf(context), id, request)
        : await topUps.add(tx, personOf(context), walletId, request),
    ),
  )
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
  route(contract.cancelTopUp, ({ body }, context) =>
    context.shop.db.transaction(async tx => topUpReply(await topUps.cancel(tx, personOf(context), body.id))),
  ),
  route(contract.listWalletStatuses, async () =>
    TOP_UP_STATUSES.map(code => ({ code, name: TOP_UP_STATUS_LABELS[code] })),
  ),
]
