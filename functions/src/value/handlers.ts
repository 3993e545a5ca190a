import { AppError, type ErrorCode } from '@shop/shared/errors.ts'
import { addSeconds, bangkokDay, DAY_MS, startOfBangkokDay } from '@shop/shared/time.ts'
import * as contract from '@shop/shared/value/endpoints.ts'
import { WORD_SECONDS, type WordState } from '@shop/shared/value/value.ts'
import { uuidv7 } from 'uuidv7'
import { authorise, GUEST, identifyAsker, ownerKeys } from '../account/caller.ts'
import { type Context, type Person, personOf, type Route, route, type SecondBy } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { inJson } from '../http/in-json.ts'
import { findBarrier, mustBeGiver } from './moving.ts'
import { findMovers, findMoves } from './store.ts'
import { auditWord, findWord, findWords, settleWord, type WordRow, type WordView } from './word-store.ts'

const expiryOf = ({ askedAt }: Pick<WordRow, 'askedAt'>): Date => addSeconds(askedAt, WORD_SECONDS)

const giverOf = (context: Context): Pick<SecondBy, 'uid' | 'role' | 'keys'> => {
  const { uid, role } = personOf(context)
  return { uid, role, keys: ownerKeys(context) }
}

async function view(context: Context, word: WordView): Promise<contract.SecondWord> {
  const { shop, now, uid } = context
  const isOver = word.state === 'waiting' && now >= expiryOf(word)
  const isWaiting = word.state === 'waiting' && !isOver
  const barrier = isWaiting ? await findBarrier(shop.db, word, giverOf(context), now) : null
  return {
    ...inJson(word),
    state: isOver ? 'expired' : word.state,
    barrier,
    isOwn: word.askedBy === uid,
    expiresAt: expiryOf(word).toISOString(),
  }
}

/** Returns a question that still waits. @throws NOT_FOUND, SECOND_WORD_OVER */
async function mustWait({ shop, now }: Context, id: string): Promise<WordRow> {
  const word = await findWord(shop.db, id)
  if (!word) throw new AppError('NOT_FOUND')
  if (word.state !== 'waiting' || now >= expiryOf(word)) throw new AppError('SECOND_WORD_OVER')
  return word
}

/** Functions of modules that depend on this one. */
interface Above {
  /** Finds the route of a stored call, to carry it out. */
  find(call: string): Route | undefined
  /** Tells the asker what was decided and by whom; `reason` says why it was not carried out. */
  tellAsker(tx: Sql, by: Person, word: WordRow, reason?: string): Promise<void>
}

/** Ends a question that can't be answered any more. */
async function drop(above: Above, context: Context, word: WordRow, state: 'stale' | 'refused', reason: string) {
  const { shop, now, uid } = context
  await shop.db.transaction(async tx => {
    const isEnded = await settleWord(tx, word.id, { state, by: uid, at: now, reason })
    if (isEnded) await above.tellAsker(tx, personOf(context), word, reason)
  })
}

/** Errors that are about the moment or about the second person, and not about the stored request. */
const PASSING: readonly ErrorCode[] = ['SECOND_WORD_NOT_YOURS', 'SECOND_WORD_OVER', 'NOBODY_HEARS', 'RATE_LIMITED']

/** Ends a question whose request can never succeed. @throws the reason */
async function endFailed(above: Above, context: Context, word: WordRow, error: unknown): Promise<never> {
  if (!(error instanceof AppError) || error.status >= 500 || PASSING.includes(error.code)) throw error
  // These errors are about the asker; the confirming person sees another message when they are refused themselves.
  const mayNot = error.status === 401 || error.status === 403
  await drop(above, context, word, mayNot ? 'refused' : 'stale', mayNot ? 'ผู้ขอไม่มีสิทธิ์ทำรายการนี้แล้ว' : error.message)
  if (mayNot) throw new AppError('SECOND_WORD_CHANGED', { cause: error })
  // Loading it again and trying again would not help.
  throw error.code === 'CONFLICT' ? new AppError('SECOND_WORD_OVER', { cause: error }) : error
}

/** Returns the request's context as if its asker sent it now. @throws the reason why they would be refused */
async function askerContext(context: Context, word: WordRow, allow: Route['endpoint']['allow']): Promise<Context> {
  const { shop, now, address, device } = context
  const identity = await identifyAsker(shop, { uid: word.askedBy, guestHash: word.guestHash, since: word.askedAt })
  authorise(identity, allow)
  const secondBy: SecondBy = { ...giverOf(context), wordId: word.id, isRepeated: false, asked: word }
  const sent = { shop, now, address, device, once: word.once, file: null, changeId: uuidv7(), secondBy }
  return { ...GUEST, ...identity, ...sent }
}

/**
 * Carries out what was asked for, in the asker's name. When two people confirm, the code that moves the value decides
 * which of them counts.
 */
async function give(above: Above, context: Context, id: string) {
  const word = await mustWait(context, id)
  const { shop, now } = context
  await mustBeGiver(shop.db, word, giverOf(context), now)
  const asked = above.find(word.call)
  if (word.input === null) {
    await shop.db.transaction(async tx => {
      const given = { state: 'given', by: context.uid, at: now, reason: null } as const
      if (!(await settleWord(tx, id, given))) throw new AppError('SECOND_WORD_OVER')
      await auditWord(tx, personOf(context), word)
      await above.tellAsker(tx, personOf(context), word)
    })
    return { isDone: false }
  }
  if (!asked?.again) throw new AppError('SECOND_WORD_CHANGED')
  const done = async () => asked.again!(word.input!, await askerContext(context, word, asked.endpoint.allow))
  await done().catch((error: unknown) => endFailed(above, context, word, error))
  await shop.db.transaction(async tx => {
    // A request that no longer needed an agreement was carried out without using it.
    const isLeft = await settleWord(tx, id, { state: 'given', by: context.uid, at: now, reason: null })
    if (isLeft) await auditWord(tx, personOf(context), word)
    await above.tellAsker(tx, personOf(context), word)
  })
  return { isDone: true }
}

async function refuse(above: Above, context: Context, id: string, reason: string) {
  const word = await mustWait(context, id)
  const { shop, now, uid } = context
  const isOwn = word.askedBy === uid
  if (!isOwn) await mustBeGiver(shop.db, word, giverOf(context), now)
  const state: WordState = isOwn ? 'withdrawn' : 'refused'
  await shop.db.transaction(async tx => {
    if (!(await settleWord(tx, id, { state, by: uid, at: now, reason }))) throw new AppError('SECOND_WORD_OVER')
    await auditWord(tx, personOf(context), word, reason)
    if (!isOwn) await above.tellAsker(tx, personOf(context), word, reason)
  })
  return { id }
}

/** Returns the Bangkok week that begins on a day; without a day the current one, from Monday. */
function weekOf(day: string | undefined, now: Date) {
  const start = startOfBangkokDay(day ?? bangkokDay(now))
  // Noon in Bangkok is on the same day in UTC.
  const weekday = (new Date(start.getTime() + DAY_MS / 2).getUTCDay() + 6) % 7
  const from = new Date(start.getTime() - weekday * DAY_MS)
  const before = new Date(from.getTime() + 7 * DAY_MS)
  return { from, before, days: { from: bangkokDay(from), to: bangkokDay(addSeconds(before, -1)) } }
}

async function listMovers({ shop, now }: Context, week: string | undefined) {
  const { days, ...span } = weekOf(week, now)
  const of = Map.groupBy(await findMovers(shop.db, span), ({ uid }) => uid)
  const movers = [...of.values()].map(rows => ({
    uid: rows[0]!.uid,
    name: rows[0]!.name,
    role: rows[0]!.role,
    kinds: rows.map(({ kind, count, sumSatang, seconded }) => ({ kind, count, sumSatang, seconded })),
  }))
  return { ...days, movers, nowDate: now.toISOString() }
}

export const valueRoutes = (above: Above): Route[] => [
  route(contract.listSecondWords, async ({ query }, context) => {
    const { shop, now, caller } = context
    const { uid } = personOf(context)
    const { state, ...paging } = query
    const { rows, total } = await findWords(shop.db, { uid, caller, isWaiting: state === 'waiting', now }, paging)
    return { rows: await Promise.all(rows.map(row => view(context, row))), total, nowDate: now.toISOString() }
  }),
  route(contract.giveSecondWord, ({ params }, context) => give(above, context, params.id)),
  route(contract.refuseSecondWord, ({ params, body }, context) => refuse(above, context, params.id, body.reason)),
  route(contract.listValueMovers, ({ query }, context) => listMovers(context, query.week)),
  route(contract.listValueMoves, async ({ query }, { shop, now }) => {
    const { week, uid, kind, ...paging } = query
    const { days: _, ...span } = weekOf(week, now)
    const { rows, total } = await findMoves(shop.db, { ...span, uid, kind }, paging)
    return { rows: rows.map(inJson), total, nowDate: now.toISOString() }
  }),
]
