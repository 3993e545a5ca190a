import { AppError, invariant } from '@shop/shared/errors.ts'
import { AUDIENCE, can } from '@shop/shared/permissions.ts'
import { addSeconds } from '@shop/shared/time.ts'
import {
  moveEntry,
  needsSecondWord,
  RANK_TIE_SECONDS,
  type ValueMove,
  type WordAction,
  wordBarrier,
} from '@shop/shared/value/value.ts'
import { RESET_SECONDS } from '@shop/shared/wallet/top-up.ts'
import { areTied, findResetBy } from '../audit/store.ts'
import type { Person, SecondBy } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { tell } from '../outbox/outbox.ts'
import { findMovedToday, findTwoPersonAmount, hasOthers, insertMove, lockMover } from './store.ts'
import { auditWord, endWords, takeWord } from './word-store.ts'

/** Returns the uids among owner keys. */
const accountsOf = (owners: readonly string[] = []): string[] =>
  owners.filter(key => key.startsWith('u:')).map(key => key.slice('u:'.length))

/** Tells whether somebody created one of these accounts, or knows its password or PIN. @param owners owner keys */
export async function holdsOwner(tx: Sql, uid: string, owners: readonly string[] | undefined, now: Date) {
  const held = await findResetBy(tx, uid, accountsOf(owners), addSeconds(now, -RESET_SECONDS))
  return held.length > 0
}

/** The facts about a question that may prevent somebody from agreeing to it. */
interface AskedWord extends Pick<ValueMove, 'kind'> {
  askedBy: string
  owners: readonly string[]
  action: WordAction
}

/** Tells whether one of two people could recently act as both, or made the other one. */
const areTiedNow = (db: Sql, pair: readonly [string, string], now: Date): Promise<boolean> =>
  areTied(db, pair, { reset: addSeconds(now, -RESET_SECONDS), rank: addSeconds(now, -RANK_TIE_SECONDS) })

/**
 * Tells whether somebody may move value alone because there is no second person, so that the owner of a one-person shop
 * is not locked out.
 */
const isLone = async (db: Sql, action: WordAction, { uid, role }: Pick<SecondBy, 'uid' | 'role'>, now: Date) =>
  can(role, 'value.secondAdmin') && !(await hasOthers(db, action, uid, now))

/**
 * Tells whether somebody is too closely tied to the asker to be the second person; the only possible one is always
 * accepted.
 */
export async function isTiedTo(
  db: Sql,
  askedBy: string,
  giver: Pick<SecondBy, 'uid' | 'role'>,
  of: { action: WordAction; now: Date },
): Promise<boolean> {
  return (await areTiedNow(db, [askedBy, giver.uid], of.now)) && !(await isLone(db, of.action, giver, of.now))
}

/** Returns why somebody can't agree to a question, in words that end a sentence; null when they can. */
export async function findBarrier(
  db: Sql,
  word: AskedWord,
  giver: Pick<SecondBy, 'uid' | 'role' | 'keys'>,
  now: Date,
): Promise<string | null> {
  return wordBarrier(word, {
    ...giver,
    isAllowed: can(giver.role, word.action),
    isTied: await isTiedTo(db, word.askedBy, giver, { action: word.action, now }),
    holdsOwner: await holdsOwner(db, giver.uid, word.owners, now),
  })
}

/** @throws SECOND_WORD_NOT_YOURS with the reason */
export async function mustBeGiver(...of: Parameters<typeof findBarrier>): Promise<void> {
  const why = await findBarrier(...of)
  if (why) throw new AppError('SECOND_WORD_NOT_YOURS', { values: { why } })
}

/** Uses up the agreement to this movement. @throws SECOND_WORD_NOT_YOURS, SECOND_WORD_CHANGED, SECOND_WORD_OVER */
async function useWord(tx: Sql, { uid, now }: Person, by: SecondBy, move: ValueMove): Promise<void> {
  const { asked } = by
  const isAsked = asked.kind === move.kind && asked.subject === move.subject && move.amountSatang <= asked.amountSatang
  const { second } = moveEntry(move.kind)
  // A side movement that needs no agreement was part of what the second person looked at.
  if (!isAsked && second) throw new AppError('SECOND_WORD_CHANGED')
  const owners = move.owners ?? []
  if (second) await mustBeGiver(tx, { kind: move.kind, askedBy: uid, owners, action: second.from }, by, now)
  const word = { id: by.wordId, askedBy: uid, secondUid: by.uid, isRepeated: by.isRepeated }
  const taken = await takeWord(tx, word, now)
  if (!taken) throw new AppError('SECOND_WORD_OVER')
  // For a repeated call it was recorded when the agreement was given.
  if (taken === 'first' && !by.isRepeated) await auditWord(tx, { ...by, now }, { id: by.wordId, askedBy: uid, ...move })
}

/**
 * Returns whose consent a movement needs: the mover's `own`, a `second` person's, or the mover's `alone` because the shop
 * has no second person.
 */
async function consentOf(tx: Sql, { uid, role, now }: Person, move: ValueMove): Promise<'own' | 'alone' | 'second'> {
  const { second, counts } = moveEntry(move.kind)
  if (!second) return 'own'
  if (counts) await lockMover(tx, uid)
  const isNeeded = needsSecondWord(move, {
    movedTodaySatang: counts ? await findMovedToday(tx, uid, now) : 0,
    limitSatang: await findTwoPersonAmount(tx),
    holdsOwner: moveEntry(move.kind).isForWallet && (await holdsOwner(tx, uid, move.owners, now)),
  })
  if (!isNeeded) return 'own'
  return (await isLone(tx, second.from, { uid, role }, now)) ? 'alone' : 'second'
}

/**
 * Tells whether those can be reached who are told of more than one person may move alone. What only admins agree to is
 * not held back: they are asked in person, and a new shop is set up before anybody is linked.
 */
async function isHeard(tx: Sql, { findUnheard }: Person, kind: ValueMove['kind']): Promise<boolean> {
  const { second, tells } = moveEntry(kind)
  if (second?.from !== 'value.second') return true
  return !(await findUnheard(tx)).includes(tells.whom)
}

/** @throws NOBODY_HEARS */
async function mustBeHeard(tx: Sql, person: Person, kind: ValueMove['kind']): Promise<void> {
  if (await isHeard(tx, person, kind)) return
  throw new AppError('NOBODY_HEARS', { values: { whom: AUDIENCE[moveEntry(kind).tells.whom] } })
}

/** The second person behind a movement, if any. */
interface Behind {
  secondUid: string | null
  wordId: string | null
  isAlone: boolean
}

async function record(tx: Sql, person: Person, move: ValueMove, behind: Behind): Promise<void> {
  const { tells, isOnce } = moveEntry(move.kind)
  const id = await insertMove(tx, person, { ...move, ...behind })
  if (isOnce) await endWords(tx, move.subject, person.now, behind.wordId)
  const isTold = tells.when === 'always' || (tells.when === 'large' && behind.secondUid !== null)
  if (isTold || behind.isAlone) await tell(tx, { event: 'valueMoved', id, now: person.now })
}

/** A second person who is tied to the first does not count, so the movement is recorded as alone. */
async function recordBehind(
  tx: Sql,
  person: Person,
  move: ValueMove,
  behind: { secondUid: string; wordId: string | null },
) {
  const isAlone = await areTiedNow(tx, [person.uid, behind.secondUid], person.now)
  await record(tx, person, move, { ...behind, isAlone })
}

/**
 * Records that somebody moves value without a customer's money, in the transaction that moves it. As VALUE_MOVE says, it
 * adds up the person's day, asks for a second person and tells others. The calling handler's endpoint must have
 * `secondWord`; the handler runs again, with `secondBy`, once somebody has agreed.
 * @throws FORBIDDEN, SECOND_WORD_NEEDED, NOBODY_HEARS; under a word also SECOND_WORD_NOT_YOURS, SECOND_WORD_CHANGED, SECOND_WORD_OVER
 */
export async function moveValue(tx: Sql, person: Person, move: ValueMove): Promise<void> {
  if (!can(person.role, moveEntry(move.kind).allow)) throw new AppError('FORBIDDEN')
  const { secondBy = null } = person
  if (secondBy) {
    await mustBeHeard(tx, person, move.kind)
    await useWord(tx, person, secondBy, move)
    return recordBehind(tx, person, move, { secondUid: secondBy.uid, wordId: secondBy.wordId })
  }
  const consent = await consentOf(tx, person, move)
  if (consent !== 'own') await mustBeHeard(tx, person, move.kind)
  if (consent === 'second')
    throw new AppError('SECOND_WORD_NEEDED', { values: { sent: 'กรุณาทำรายการในหลังร้าน' }, details: { ...move } })
  await record(tx, person, move, { secondUid: null, wordId: null, isAlone: consent === 'alone' })
}

/**
 * Like `moveValue`, for something that happens at once and waits for its second person before any value moves. Returns
 * false when it must wait; nothing is recorded then, see `moveBehind`.
 */
export async function moveOrWait(tx: Sql, person: Person, move: ValueMove): Promise<boolean> {
  const consent = await consentOf(tx, person, move)
  if (consent === 'second' || (consent === 'alone' && !(await isHeard(tx, person, move.kind)))) return false
  await record(tx, person, move, { secondUid: null, wordId: null, isAlone: consent === 'alone' })
  return true
}

/** Records a movement that waited for a second person, who has now agreed. @throws SECOND_WORD_NOT_YOURS, NOBODY_HEARS */
export async function moveBehind(
  tx: Sql,
  person: Person,
  second: Pick<SecondBy, 'uid' | 'role' | 'keys'>,
  move: ValueMove,
) {
  const { second: word } = moveEntry(move.kind)
  invariant(word, 'only what takes a second person waits for one')
  await mustBeHeard(tx, person, move.kind)
  const asked = { kind: move.kind, askedBy: person.uid, owners: move.owners ?? [], action: word.from }
  await mustBeGiver(tx, asked, second, person.now)
  await recordBehind(tx, person, move, { secondUid: second.uid, wordId: null })
}
