import { isFromGateway } from '@shop/shared/provider-names.ts'
import { matchByItself } from '@shop/shared/statement/line-decision.ts'
import { factsOfLine, matchOf, needsOf, type Payable } from '@shop/shared/statement/matching.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { findCollectors } from '../gateway/store.ts'
import { saveOutcome } from '../order/store.ts'
import type { Shop } from '../shop/shop.ts'
import { findSaidApart, findUsersOf, lockAmounts, useTransfer } from '../transfer/store.ts'
import { postLedger } from '../wallet/store.ts'
import {
  countMatched,
  countUntried,
  findPayable,
  findPayablesOf,
  lockTargets,
  lockUntried,
  markTried,
  reopenForNews,
  type StoredLine,
  saveLines,
} from './store.ts'

/** The number of lines in one transaction; a crash leaves all of its lines untried. */
const BATCH = 500
/** For this long a line is tried again when a top-up is entered or a slip confirmed. */
const RETRY_SECONDS = 2 * 24 * 3600

/** What a line is matched to; `reason` says why where it does not fit. */
interface Match {
  payable: Payable
  reason: string | null
}

interface Progress {
  tried: number
  matched: number
}

/**
 * Returns the lines that certainly fit one thing. When two lines fit the same thing, the earlier one gets it. What a
 * gateway may have paid out is no customer's money, however well it fits, so people decide about it.
 */
async function findMatches(tx: Sql, given: readonly StoredLine[]): Promise<Map<StoredLine, Match>> {
  const collectors = await findCollectors(tx)
  const lines = given.filter(({ detail }) => !collectors.some(gateway => isFromGateway(gateway, detail)))
  const payables = await findPayablesOf(tx, lines)
  const matches = new Map<StoredLine, Match>()
  const takenBy = new Map<string, string>()
  for (const line of lines) {
    const now = payables.get(line.id)!.map(each => ({ ...each, lineId: takenBy.get(each.target.id) ?? each.lineId }))
    const payable = matchOf(line, now)
    if (!payable) continue
    matches.set(line, { payable, reason: null })
    takenBy.set(payable.target.id, line.id)
  }
  const open = lines.filter(line => !matches.has(line))
  for (const [line, match] of await findLeftOver(tx, open, takenBy)) matches.set(line, match)
  return matches
}

/**
 * Returns the lines that may be the transfer of something, after a person said of a line beside them that this is
 * another one: they are then what is left for it. Otherwise each of the lines could be said to be another one, and more
 * would be booked than came.
 */
async function findLeftOver(
  tx: Sql,
  open: readonly StoredLine[],
  takenBy: ReadonlyMap<string, string>,
): Promise<Map<StoredLine, Match>> {
  const found = new Map<StoredLine, Match>()
  const apart = await findSaidApart(
    tx,
    open.map(({ amountSatang }) => amountSatang),
  )
  if (apart.size === 0) return found
  const users = await findUsersOf(
    tx,
    open.map(line => ({ ...factsOfLine(line, 'line'), subjectId: null })),
  )
  const taken = new Set(takenBy.keys())
  for (const [index, line] of open.entries()) {
    const user = users[index]!.find(({ id }) => apart.has(id) && !taken.has(id))
    if (!user || user.kind === 'line') continue
    const payable = await findPayable(tx, { kind: user.kind, id: user.id })
    if (!payable || payable.amountSatang !== line.amountSatang || needsOf(line, payable) === 'impossible') continue
    taken.add(user.id)
    found.set(line, { payable, reason: `รายการหมายเลข ${apart.get(user.id)} เป็นเงินโอนอีกครั้งหนึ่ง` })
  }
  return found
}

/** Leaves out lines whose money may already be used on a slip's or a person's word; people decide about those. */
async function withoutUsed(tx: Sql, matches: Map<StoredLine, Match>): Promise<Map<StoredLine, Match>> {
  const pairs = [...matches]
  const users = await findUsersOf(
    tx,
    pairs.map(([line, { payable }]) => ({
      ...factsOfLine(line, payable.target.kind),
      subjectId: payable.target.id,
    })),
  )
  const usersOf = new Map(pairs.map(([line], index) => [line, users[index]!]))
  // A thing that one of these lines pays can't be a reason to leave out another. What is left over pays nothing new.
  for (let kept = pairs; ; ) {
    const served = new Set(kept.map(([, { payable }]) => payable.target.id))
    const next = kept.filter(
      ([line, { reason }]) => reason !== null || usersOf.get(line)!.every(({ id }) => served.has(id)),
    )
    if (next.length === kept.length) return new Map(kept)
    kept = next
  }
}

/** Locks what the lines match and checks again. When somebody was faster, the line is left for the next batch. */
async function findLockedMatches(tx: Sql, lines: readonly StoredLine[]) {
  const found = await findMatches(tx, lines)
  const orders = await lockTargets(
    tx,
    [...found.values()].map(({ payable }) => payable.target),
  )
  await lockAmounts(
    tx,
    lines.map(({ amountSatang }) => amountSatang),
  )
  const again = await findMatches(tx, [...found.keys()])
  const changed = [...found].filter(([line, { payable }]) => again.get(line)?.payable.target.id !== payable.target.id)
  for (const [line] of changed) again.delete(line)
  return { matches: await withoutUsed(tx, again), orders, changed: new Set(changed.map(([line]) => line)) }
}

/**
 * Tries the next lines. Money that an order waits for pays the order; when it was in the books already, the line
 * explains it.
 */
async function matchBatch(tx: Sql, receivingAccountId: number | null, now: Date): Promise<Progress> {
  const lines = await lockUntried(tx, receivingAccountId, BATCH)
  if (lines.length === 0) return { tried: 0, matched: 0 }
  const { matches, orders, changed } = await findLockedMatches(tx, lines)
  const outcomes = [...matches].map(([line, match]) =>
    matchByItself(line, match, orders.get(match.payable.target.id) ?? null, now),
  )
  for (const { line, order, ledger, uses, event } of outcomes) {
    if (order) await saveOutcome(tx, order)
    if (uses) await useTransfer(tx, uses, event.at)
    if (ledger) await postLedger(tx, { ...ledger, id: uuidv7(), subjectId: line.id })
  }
  await saveLines(tx, outcomes)
  const open = lines.filter(line => !matches.has(line) && !changed.has(line))
  await markTried(
    tx,
    open.map(({ id }) => id),
    now,
  )
  return { tried: matches.size + open.length, matched: matches.size }
}

/** Tries the next lines of an account and returns how many are left; for a finished file, also the result. */
export async function matchNext(
  shop: Pick<Shop, 'db' | 'now'>,
  { receivingAccountId, fileId }: { receivingAccountId: number; fileId?: string },
) {
  const progress = await shop.db.transaction(tx => matchBatch(tx, receivingAccountId, shop.now()))
  const left = await countUntried(shop.db, receivingAccountId)
  return { ...progress, left, matchedOfFile: fileId && left === 0 ? await countMatched(shop.db, fileId) : null }
}

/**
 * Tries all untried lines, of one account or of all. Safe to run twice at once. Returns how many lines were matched.
 */
export async function matchLines(
  shop: Pick<Shop, 'db' | 'now'>,
  receivingAccountId: number | null = null,
): Promise<number> {
  for (let all = 0; ; ) {
    const { tried, matched } = await shop.db.transaction(tx => matchBatch(tx, receivingAccountId, shop.now()))
    all += matched
    if (tried === 0) return all
  }
}

/**
 * The regular job: finishes imports of a browser that was closed, and matches lines to top-ups and slips that came
 * later.
 */
export async function matchStatements(shop: Pick<Shop, 'db' | 'now'>): Promise<number> {
  await reopenForNews(shop.db, addSeconds(shop.now(), -RETRY_SECONDS))
  return matchLines(shop)
}

/** Does the regular job's work at once for the lines beside one that a person decided about, as far as one batch goes. */
export async function matchBeside(shop: Pick<Shop, 'db' | 'now'>, receivingAccountId: number): Promise<void> {
  await reopenForNews(shop.db, addSeconds(shop.now(), -RETRY_SECONDS))
  await matchNext(shop, { receivingAccountId })
}
