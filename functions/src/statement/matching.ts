import { isFromGateway } from '@shop/shared/provider-names.ts'
import { matchByItself } from '@shop/shared/statement/line-decision.ts'
import { factsOfLine, matchOf, type Payable } from '@shop/shared/statement/matching.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { uuidv7 } from 'uuidv7'
import type { Sql } from '../database/database.ts'
import { findCollectors } from '../gateway/store.ts'
import { saveOutcome } from '../order/store.ts'
import type { Shop } from '../shop.ts'
import { findUsersOf, lockAmounts, useTransfer } from '../transfer/store.ts'
import { postLedger } from '../wallet/store.ts'
import {
  countMatched,
  countUntried,
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

interface Progress {
  tried: number
  matched: number
}

/**
 * Returns the lines that certainly fit one thing. When two lines fit the same thing, the earlier one gets it. What a
 * gateway may have paid out is no customer's money, however well it fits, so people decide about it.
 */
async function findMatches(tx: Sql, given: readonly StoredLine[]): Promise<Map<StoredLine, Payable>> {
  const collectors = await findCollectors(tx)
  const lines = given.filter(({ detail }) => !collectors.some(gateway => isFromGateway(gateway, detail)))
  const payables = await findPayablesOf(tx, lines)
  const matches = new Map<StoredLine, Payable>()
  const takenBy = new Map<string, string>()
  for (const line of lines) {
    const now = payables.get(line.id)!.map(each => ({ ...each, lineId: takenBy.get(each.target.id) ?? each.lineId }))
    const match = matchOf(line, now)
    if (!match) continue
    matches.set(line, match)
    takenBy.set(match.target.id, line.id)
  }
  return matches
}

/** Leaves out lines whose money may already be used on a slip's or a person's word; people decide about those. */
async function withoutUsed(tx: Sql, matches: Map<StoredLine, Payable>): Promise<Map<StoredLine, Payable>> {
  const pairs = [...matches]
  const users = await findUsersOf(
    tx,
    pairs.map(([line, { target }]) => ({ ...factsOfLine(line, target.kind), subjectId: target.id })),
  )
  const usersOf = new Map(pairs.map(([line], index) => [line, users[index]!]))
  // A thing that one of these lines pays can't be a reason to leave out another.
  for (let kept = pairs; ; ) {
    const served = new Set(kept.map(([, { target }]) => target.id))
    const next = kept.filter(([line]) => usersOf.get(line)!.every(({ id }) => served.has(id)))
    if (next.length === kept.length) return new Map(kept)
    kept = next
  }
}

/** Locks what the lines match and checks again. When somebody was faster, the line is left for the next batch. */
async function findLockedMatches(tx: Sql, lines: readonly StoredLine[]) {
  const found = await findMatches(tx, lines)
  const orders = await lockTargets(
    tx,
    [...found.values()].map(({ target }) => target),
  )
  await lockAmounts(
    tx,
    lines.map(({ amountSatang }) => amountSatang),
  )
  const again = await findMatches(tx, [...found.keys()])
  const changed = [...found].filter(([line, { target }]) => again.get(line)?.target.id !== target.id)
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
  const outcomes = [...matches].map(([line, payable]) =>
    matchByItself(line, payable, orders.get(payable.target.id) ?? null, now),
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
