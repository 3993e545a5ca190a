import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { bangkokMonth, bangkokMonthOf } from '@shop/shared/time.ts'
import type { WalletView } from '@shop/shared/wallet/endpoints.ts'
import * as contract from '@shop/shared/wallet/endpoints.ts'
import {
  checkTopUpAmount,
  roomOf,
  TOP_UP_STATUS_LABELS,
  TOP_UP_STATUSES,
  type TopUp,
} from '@shop/shared/wallet/top-up.ts'
import { pinStateOf } from '../access/view.ts'
import { type Context, limitKey, mustBeOnce, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { csvReply } from '../http/csv.ts'
import { runOnce } from '../http/idempotency.ts'
import { mustTakeOrders } from '../outbox/safe-mode.ts'
import { twoPersonAmountOf } from '../settings/store.ts'
import { requestSlipCheck } from '../slipcheck/request.ts'
import { promptPayText } from '../transfer/promptpay.ts'
import { findHistory, readHistory } from './history-store.ts'
import { statementCsv, statementOf } from './statement.ts'
import { findWallet, findWalletFacts, type Wallet } from './store.ts'
import * as topUps from './top-ups.ts'
import { HISTORY_SHEET, topUpReply, viewLine } from './view.ts'

export function ownWalletId(context: Context): string {
  const walletId = context.account?.walletId
  if (!walletId) throw new AppError('WALLET_NOT_FOUND')
  return walletId
}

/** The caller's own wallet. @throws WALLET_NOT_FOUND */
export async function ownWallet(context: Context): Promise<Wallet> {
  const wallet = await findWallet(context.shop.db, ownWalletId(context))
  invariant(wallet, 'the wallet of an account exists')
  return wallet
}

export async function viewWallet(context: Context): Promise<WalletView> {
  const month = bangkokMonth(bangkokMonthOf(context.now))
  const [catalogue, { wallet, sums, pin }] = await Promise.all([
    context.shop.catalogue.latest(),
    findWalletFacts(context.shop.db, ownWalletId(context), month),
  ])
  return {
    ...wallet,
    tier: { id: wallet.tierId, name: wallet.tierName },
    twoApproversAboveSatang: twoPersonAmountOf(catalogue.options),
    waitingSatang: sums.waitingSatang,
    thisMonthSatang: sums.approvedSatang,
    roomSatang: roomOf(wallet),
    pin: pin && pinStateOf(pin, context.now),
    nowDate: context.now.toISOString(),
  }
}

async function listTransactions(context: Context, query: ParsedInput<typeof contract.listOwnTransactions>['query']) {
  const { rows, total } = await findHistory(context.shop.db, { ...query, walletId: ownWalletId(context) })
  return { rows: rows.map(row => viewLine(row, personOf(context).uid)), total, nowDate: context.now.toISOString() }
}

/** @throws TOP_UP_ABOVE_ROOM, TOP_UP_BELOW_MINIMUM, RECEIVING_ACCOUNT_NOT_FOUND */
async function topUpQr(
  context: Context,
  { receivingAccountId, amountSatang }: ParsedInput<typeof contract.getTopUpQr>['params'],
) {
  checkTopUpAmount(amountSatang, await ownWallet(context))
  const { receivingAccounts } = await context.shop.catalogue.latest()
  const account = receivingAccounts.get(receivingAccountId)
  if (!account?.isActive) throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  return { promptPay: account.promptPayId && promptPayText(account.promptPayId, amountSatang) }
}

/** Counts a top-up request against its limit. @throws RATE_LIMITED */
export const takeTopUpLimit = (context: Context): Promise<void> =>
  context.shop.limits.take('topUpsPerCaller', limitKey(context))

/** Has the slip of a request checked after the request was entered or changed. */
export async function checkSlip(tx: Sql, context: Context, { id, slipId }: TopUp): Promise<void> {
  const { shop, now } = context
  const ownerKey = `u:${personOf(context).uid}`
  // The owner of a wallet is a known customer.
  if (slipId)
    await requestSlipCheck(tx, shop, { subject: 'topUp', subjectId: id, slipId, ownerKey, address: null, now })
}

async function saveOwnTopUp(context: Context, body: ParsedInput<typeof contract.saveTopUp>['body']) {
  const walletId = ownWalletId(context)
  const { id, ...request } = body
  const save = async (tx: Sql) => {
    if (!id) await mustTakeOrders(tx)
    const topUp = id
      ? await topUps.change(tx, personOf(context), id, request)
      : await topUps.add(tx, personOf(context), walletId, request)
    await checkSlip(tx, context, topUp)
    return topUpReply(topUp)
  }
  return runOnce(context.shop.db, mustBeOnce(context), context.now, save, () => takeTopUpLimit(context))
}

export const walletRoutes: Route[] = [
  route(contract.getWallet, (_, context) => viewWallet(context)),
  route(contract.listOwnTransactions, ({ query }, context) => listTransactions(context, query)),
  route(contract.exportOwnTransactions, ({ query }, context) => {
    const lines = readHistory(context.shop.db, { ...query, walletId: ownWalletId(context) })
    return csvReply(HISTORY_SHEET, lines, context.now)
  }),
  route(contract.getStatement, ({ params }, context) =>
    statementOf(context.shop.db, ownWalletId(context), params.month),
  ),
  route(contract.exportStatement, ({ params }, context) => statementCsv(context, ownWalletId(context), params.month)),
  route(contract.getTopUpQr, ({ params }, context) => topUpQr(context, params)),
  route(contract.saveTopUp, ({ body }, context) => saveOwnTopUp(context, body)),
  route(contract.cancelTopUp, ({ body }, context) =>
    context.shop.db.transaction(async tx => topUpReply(await topUps.cancel(tx, personOf(context), body.id))),
  ),
  route(contract.listWalletStatuses, async () =>
    TOP_UP_STATUSES.map(code => ({ code, name: TOP_UP_STATUS_LABELS[code] })),
  ),
]
