import type { ParsedInput, Reply } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import { LINE_STATE } from '@shop/shared/statement/statement.ts'
import { takeBackOf, voidLine } from '@shop/shared/statement/take-back.ts'
import * as contract from '@shop/shared/statement/take-back-endpoints.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { audit } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { judgeChain } from './chain-store.ts'
import { decideLocked } from './decide.ts'
import { revokeFeedKey } from './feed-store.ts'
import { lockAccount } from './import-store.ts'
import { matchLines } from './matching.ts'
import { lockLine, type StoredLine, saveLine } from './store.ts'
import {
  disputeLine,
  findKeyLines,
  findNextKeyLines,
  forgetWordOf,
  freeKey,
  lockKey,
  settleLine,
} from './take-back-store.ts'
import { findUndoFacts } from './undo-store.ts'

/** The number of lines in one transaction. */
const BATCH = 25
const MOST_CASES = 100

type Preview = Reply<typeof contract.previewTakeBack>
type Sum = Preview['idle']

const sinceOf = (since: string | null | undefined): Date | null => (since ? new Date(since) : null)
const noLines = (): Sum => ({ lines: 0, amountSatang: 0 })

async function preview({ shop }: Context, id: string, since: Date | null): Promise<Preview> {
  if (!(await lockKey(shop.db, id))) throw new AppError('NOT_FOUND')
  const lines = await findKeyLines(shop.db, id, since)
  const facts = await findUndoFacts(
    shop.db,
    lines.map(line => line.id),
  )
  const sums = { void: noLines(), undo: noLines(), stuck: noLines(), confirmed: noLines() }
  const cases: Preview['cases'] = []
  for (const line of lines) {
    const { kind, why } = takeBackOf(line, facts.get(line.id)!)
    const sum = sums[line.isConfirmed ? 'confirmed' : kind]
    sum.lines += 1
    sum.amountSatang += line.amountSatang
    const { id: lineId, no, amountSatang, target } = line
    if (!line.isConfirmed && why !== null && cases.length < MOST_CASES)
      cases.push({ lineId, no, amountSatang, target, why })
  }
  return { idle: sums.void, undone: sums.undo, stuck: sums.stuck, confirmed: sums.confirmed, cases }
}

/** Undoes the effect of a line by the rules for people. Returns null, or why it is not possible. */
async function undo(tx: Sql, context: Context, line: StoredLine, reason: string): Promise<string | null> {
  const facts = (await findUndoFacts(tx, [line.id])).get(line.id)!
  const { why } = takeBackOf(line, facts)
  if (why !== null) return why
  await tx.query({ text: sql`SAVEPOINT taking_back` })
  try {
    await decideLocked(tx, context, line, { step: 'undo', version: line.version, reason })
    return null
  } catch (error) {
    // Things that are the admin's own or that changed in this moment are left for others to settle.
    if (!(error instanceof AppError)) throw error
    await tx.query({ text: sql`ROLLBACK TO SAVEPOINT taking_back` })
    return error.message
  }
}

type Taken = 'voided' | 'undone' | 'stuck'

async function takeBackLine(tx: Sql, context: Context, id: string, reason: string): Promise<Taken> {
  const { uid: actorUid, now } = personOf(context)
  const line = (await lockLine(tx, id))!
  const { isBooked } = LINE_STATE[line.state]
  const why = isBooked ? await undo(tx, context, line, reason) : null
  if (why !== null) {
    await disputeLine(tx, { id, actorUid, reason: `${reason} · ${why}`, at: now })
    return 'stuck'
  }
  const open = isBooked ? (await lockLine(tx, id))! : line
  const voided = voidLine(open, { actorUid, reason, now })
  await saveLine(tx, voided.line, voided.event)
  await freeKey(tx, id)
  return isBooked ? 'undone' : 'voided'
}

type Input = ParsedInput<typeof contract.takeBackLines>
type Batch = Reply<typeof contract.takeBackLines>

/** Ends the key and takes back its next lines. The account is locked first, as imports do. */
async function takeBatch(tx: Sql, context: Context, { params: { id }, body }: Input): Promise<Batch> {
  const person = personOf(context)
  const key = await lockKey(tx, id)
  if (!key) throw new AppError('NOT_FOUND')
  if (key.receivingAccountId !== null) await lockAccount(tx, key.receivingAccountId)
  if (!key.revokedAt) await revokeFeedKey(tx, id, person.now)
  if (body.after === 0) await forgetWordOf(tx, id)
  const of = { keyId: id, since: sinceOf(body.since), after: body.after, limit: BATCH }
  const lines = await findNextKeyLines(tx, of)
  const counts: Record<Taken, number> = { voided: 0, undone: 0, stuck: 0 }
  for (const line of lines) counts[await takeBackLine(tx, context, line.id, body.reason)] += 1
  const left = (lines[0]?.left ?? 0) - lines.length
  const done = { voided: counts.voided + counts.undone, undone: counts.undone, stuck: counts.stuck }
  const after = { name: key.name, reason: body.reason, ...done }
  if (lines.length > 0 || !key.revokedAt)
    await audit(tx, person, { action: 'feedKey.takeBack', subject: `feedKey:${id}`, before: null, after })
  return { ...done, left, next: left > 0 ? lines.at(-1)!.no : null }
}

async function takeBack(context: Context, input: Input): Promise<Batch> {
  const { shop } = context
  const batch = await shop.db.transaction(tx => takeBatch(tx, context, input))
  if (batch.next === null) await believeAgain(context, input)
  return batch
}

/** Judges lines again that did not follow because of the voided ones, and tries to match them. */
async function believeAgain({ shop, now }: Context, { params: { id } }: Input): Promise<void> {
  const accountId = await shop.db.transaction(async tx => {
    const key = await lockKey(tx, id)
    if (!key?.receivingAccountId) return null
    await lockAccount(tx, key.receivingAccountId)
    await judgeChain(tx, key.receivingAccountId, bangkokDay(now))
    return key.receivingAccountId
  })
  if (accountId !== null) await matchLines(shop, accountId)
}

async function settle(context: Context, id: string, reason: string) {
  const person = personOf(context)
  await context.shop.db.transaction(async tx => {
    if (!(await lockLine(tx, id))) throw new AppError('NOT_FOUND')
    const settled = { id, actorUid: person.uid, reason, at: person.now }
    if (!(await settleLine(tx, settled))) throw new AppError('NOT_FOUND')
    await audit(tx, person, {
      action: 'statement.settle',
      subject: `statementLine:${id}`,
      before: null,
      after: { reason },
    })
  })
  return { id }
}

export const takeBackRoutes: Route[] = [
  route(contract.previewTakeBack, ({ params, query }, context) => preview(context, params.id, sinceOf(query.since))),
  route(contract.takeBackLines, (input, context) => takeBack(context, input)),
  route(contract.settleDisputedLine, ({ params, body }, context) => settle(context, params.id, body.reason)),
]
