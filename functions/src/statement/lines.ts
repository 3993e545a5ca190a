import { bankOf } from '@shop/shared/catalogue/banks.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { toDecimalText } from '@shop/shared/money.ts'
import { isFromGateway } from '@shop/shared/provider-names.ts'
import { gapText, knownBefore } from '@shop/shared/statement/chain.ts'
import * as contract from '@shop/shared/statement/endpoints.ts'
import { fitting } from '@shop/shared/statement/matching.ts'
import { checkStatementPeriod, earliestStatementDay } from '@shop/shared/statement/period.ts'
import { LINE_STATE, stepsOf } from '@shop/shared/statement/statement.ts'
import { judge, type Suggestion, suggest } from '@shop/shared/statement/suggestions.ts'
import { undoBarrier } from '@shop/shared/statement/undo-barrier.ts'
import { bangkokDay, formatDateTimeSeconds } from '@shop/shared/time.ts'
import { type Context, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { findCollectors } from '../gateway/store.ts'
import { csvReply } from '../http/csv.ts'
import { inJson } from '../http/in-json.ts'
import { findBelievedBefore } from './chain-store.ts'
import {
  findAccounts,
  findEvents,
  findLines,
  findListedLine,
  findNear,
  findSources,
  findSummary,
  findTargets,
  type ListedLine,
  readLines,
  type ShownPayable,
} from './list-store.ts'
import { findPayout } from './payout-store.ts'
import { findUndoFacts } from './undo-store.ts'

/** Nobody reads more candidates than this. */
const MOST_CANDIDATES = 20

type Counts = Pick<contract.StatementLineView, 'candidates' | 'fitting' | 'goesBack'>
const NO_COUNTS: Counts = { candidates: null, fitting: null, goesBack: false }

const viewLine = (line: ListedLine, counts: Counts): contract.StatementLineView => ({
  ...inJson(line),
  ...counts,
})

/** Returns for each open line, by its id, the things that its money could be for, most likely first. */
async function findSuggestions(
  db: Sql,
  lines: readonly ListedLine[],
): Promise<Map<string, Suggestion<ShownPayable>[]>> {
  const open = lines.filter(({ state }) => state === 'unmatched')
  const near = await findNear(db, open)
  return new Map(open.map(line => [line.id, suggest(line, near.get(line.id)!).slice(0, MOST_CANDIDATES)]))
}

function countsOf(line: ListedLine, suggestions: readonly Suggestion[] | undefined): Counts {
  if (!suggestions) return NO_COUNTS
  const possible = suggestions.filter(({ needs }) => needs !== 'impossible').map(({ payable }) => payable)
  const goesBack = suggestions.some(({ goesBackFor }) => goesBackFor !== null)
  return { candidates: suggestions.length, fitting: fitting(line, possible).length, goesBack }
}

type ExportQuery = ParsedInput<typeof contract.exportStatementLines>['query']

/** Checks a period, and names one where decided lines are asked for without. @throws STATEMENT_PERIOD_INVALID */
function withPeriod<T extends ExportQuery>(query: T, now: Date): T {
  const { from, to, noSaleOrder } = query
  if (!from && !to && noSaleOrder) return query
  const period = { from: from ?? earliestStatementDay(now), to: to ?? bangkokDay(now) }
  checkStatementPeriod(period, now)
  return { ...query, ...period }
}

type ListQuery = ParsedInput<typeof contract.listStatementLines>['query']

async function listLines({ shop, now }: Context, asked: ListQuery) {
  const query = withPeriod(asked, now)
  const [{ rows, total }, summary, sources] = await Promise.all([
    findLines(shop.db, query),
    asked.from && asked.to ? findSummary(shop.db, query) : null,
    findSources(shop.db, query),
  ])
  const suggestions = await findSuggestions(shop.db, rows)
  return {
    rows: rows.map(row => viewLine(row, countsOf(row, suggestions.get(row.id)))),
    total,
    summary,
    sources,
    nowDate: now.toISOString(),
  }
}

/** Writes day and time as precisely as the bank gave them. */
function momentText({ day, at, precisionSeconds }: ListedLine): string {
  const [year, month, date] = day.split('-')
  if (!at) return `${date}/${month}/${year}`
  const text = formatDateTimeSeconds(at)
  return precisionSeconds === 1 ? text : text.slice(0, 16)
}

const sourceName = ({ kind, name, byName }: contract.LineSourceView): string =>
  [kind === 'file' ? 'ไฟล์' : 'ระบบส่ง', name, byName && `โดย ${byName}`].filter(Boolean).join(' ')

const sheetOf = (accountNos: ReadonlyMap<number, string>) => ({
  header: [
    'ลำดับ',
    'วันที่',
    'รายละเอียด',
    'เงินเข้า',
    'เงินออก',
    'ยอดคงเหลือ',
    'จากธนาคาร',
    'จากบัญชี',
    'ช่องทาง',
    'สถานะ',
    'เลขที่รายการ',
    'ผู้ทำรายการ',
    'เหตุผล',
    'ที่มา',
    'บัญชีรับโอน',
  ],
  cellsOf: (line: ListedLine) => [
    line.no,
    momentText(line),
    line.detail,
    line.amountSatang > 0 ? toDecimalText(line.amountSatang) : '',
    line.amountSatang < 0 ? toDecimalText(-line.amountSatang) : '',
    line.balanceSatang === null ? '' : toDecimalText(line.balanceSatang),
    line.fromBank ? bankOf(line.fromBank).niceName : '',
    line.fromAccount ?? '',
    line.channel ?? '',
    LINE_STATE[line.state].label,
    line.target?.no ?? '',
    line.decidedByName ?? '',
    line.reason ?? '',
    sourceName(line.source),
    accountNos.get(line.receivingAccountId) ?? '',
  ],
})

async function exportLines({ shop, now }: Context, query: ExportQuery) {
  const asked = withPeriod(query, now)
  const accounts = await findAccounts(shop.reports)
  const accountNos = new Map(accounts.map(({ id, accountNo }) => [id, accountNo]))
  return csvReply(sheetOf(accountNos), readLines(shop.reports, asked), now)
}

const viewCandidate = ({ payable, ...judged }: Suggestion<ShownPayable>): contract.LineCandidate => ({
  ...inJson(payable),
  ...judged,
})

/** Returns the gateways that may have sent a line's money, those that its detail names first. */
async function findPayers(db: Sql, { detail }: ListedLine): Promise<contract.LineDetails['payers']> {
  const payers = (await findCollectors(db)).map(gateway => ({ gateway, isNamed: isFromGateway(gateway, detail) }))
  return payers.sort((a, b) => Number(b.isNamed) - Number(a.isNamed))
}

/** Returns a line with the things its money could be for and the decisions about it. @throws NOT_FOUND */
export async function readLineDetails(db: Sql, id: string): Promise<contract.LineDetails> {
  const line = await findListedLine(db, id)
  if (!line) throw new AppError('NOT_FOUND')
  const suggestions = (await findSuggestions(db, [line])).get(id)
  const events = await findEvents(db, id)
  const payers = LINE_STATE[line.state].steps.bookPayout ? await findPayers(db, line) : []
  const steps = stepsOf(line.state).filter(step => step !== 'bookPayout' || payers.length > 0)
  const barrier = steps.includes('undo') ? undoBarrier(line, (await findUndoFacts(db, [id])).get(id)!) : null
  return {
    line: viewLine(line, countsOf(line, suggestions)),
    candidates: (suggestions ?? []).map(viewCandidate),
    payers,
    payout: line.state === 'payout' ? await findPayout(db, line.id) : null,
    steps: barrier === null ? steps : steps.filter(step => step !== 'undo'),
    undoBarrier: barrier,
    gapNote: line.chain === 'gap' ? gapText(line, knownBefore(await findBelievedBefore(db, id), line)) : null,
    history: events.map(inJson),
  }
}

async function searchTargets(
  { shop, now }: Context,
  { params, query }: ParsedInput<typeof contract.searchStatementTargets>,
) {
  const line = await findListedLine(shop.db, params.id)
  if (!line) throw new AppError('NOT_FOUND')
  const { rows, total } = await findTargets(shop.db, { ...query, day: line.day })
  return { rows: rows.map(row => viewCandidate(judge(line, row))), total, nowDate: now.toISOString() }
}

export const lineRoutes: Route[] = [
  route(contract.listStatementAccounts, (_, { shop }) => findAccounts(shop.db)),
  route(contract.listStatementLines, ({ query }, context) => listLines(context, query)),
  // This stands before the call for one line, whose path would match it.
  route(contract.exportStatementLines, ({ query }, context) => exportLines(context, query)),
  route(contract.getStatementLine, ({ params }, { shop }) => readLineDetails(shop.db, params.id)),
  route(contract.searchStatementTargets, (input, context) => searchTargets(context, input)),
]
