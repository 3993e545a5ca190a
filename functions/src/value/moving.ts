import { AppError, invariant } from '@shop/shared/errors.ts'
import { can } from '@shop/shared/permissions.ts'
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
import type { Sql } from '../database/database.ts'
import type { Person, SecondBy } from '../http/route.ts'
import { tell } from '../outbox/outbox.ts'
import { findMovedToday, findTwoPersonAmount, hasOthers, insertMove, lockMover } from './store.ts'
import { auditWord, takeWord } from './word-store.ts'

/** The accounts among owner keys. */
const accountsOf = (owners: readonly string[] = []): string[] =>
  owners.filter(key => key.startsWith('u:')).map(key => key.slice('u:'.length))

/** Whether somebody made one of these accounts, or knows its password or PIN. */
async function holdsOwner(tx: Sql, uid: string, { kind, owners }: Pick<ValueMove, 'kind' | 'owners'>, now: Date) {
  if (!moveEntry(kind).isForWallet) return false
  const held = await findResetBy(tx, uid, accountsOf(owners), addSeconds(now, -RESET_SECONDS))
  return held.length > 0
}

/** What has to be known of who gives a word, and may keep them from it. */
interface AskedWord extends Pick<ValueMove, 'kind'> {
  askedBy: string
  owners: readonly string[]
  action: WordAction
}

/** Whether one of two people could act as both, or made the other, a short while ago. */
const areTiedNow = (db: Sql, pair: readonly [string, string], now: Date): Promise<boolean> =>
  areTied(db, pair, { reset: addSeconds(now, -RESET_SECONDS), rank: addSeconds(now, -RANK_TIE_SECONDS) })

/** Whether somebody may move what takes a second person though there is none: the owner of a shop of one is not locked out. */
const isLone = async (db: Sql, action: WordAction, { uid, role }: Pick<SecondBy, 'uid' | 'role'>, now: Date) =>
  can(role, 'value.secondAdmin') && !(await hasOthers(db, action, uid, now))

/** Whether somebody is no second person for who asks, as they are tied; the only one that there is may be. */
export async function isTiedTo(
  db: Sql,
  askedBy: string,
  giver: Pick<SecondBy, 'uid' | 'role'>,
  of: { action: WordAction; now: Date },
): Promise<boolean> {
  return (await areTiedNow(db, [askedBy, giver.uid], of.now)) && !(await isLone(db, of.action, giver, of.now))
}

/** Why somebody can't give a word, in words that end a sentence; null when they can. */
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
    holdsOwner: await holdsOwner(db, giver.uid, word, now),
  })
}

/** @throws SECOND_WORD_NOT_YOURS saying why */
export async function mustBeGiver(...of: Parameters<typeof findBarrier>): Promise<void> {
  const why = await findBarrier(...of)
  if (why) throw new AppError('SECOND_WORD_NOT_YOURS', { values: { why } })
}

/** Uses the word that was given for this up. @throws SECOND_WORD_NOT_YOURS, SECOND_WORD_CHANGED, SECOND_WORD_OVER */
async function useWord(tx: Sql, { uid, now }: Person, by: SecondBy, move: ValueMove): Promise<void> {
  const { asked } = by
  const isAsked = asked.kind === move.kind && asked.subject === move.subject && move.amountSatang <= asked.amountSatang
  const { second } = moveEntry(move.kind)
  // What goes with it and takes nobody's word was part of what was looked at.
  if (!isAsked && second) throw new AppError('SECOND_WORD_CHANGED')
  const owners = move.owners ?? []
  if (second) await mustBeGiver(tx, { kind: move.kind, askedBy: uid, owners, action: second.from }, by, now)
  const word = { id: by.wordId, askedBy: uid, secondUid: by.uid, isRepeated: by.isRepeated }
  const taken = await takeWord(tx, word, now)
  if (!taken) throw new AppError('SECOND_WORD_OVER')
  // Of a call that is repeated it was recorded when the word was given.
  if (taken === 'first' && !by.isRepeated) await auditWord(tx, { ...by, now }, { id: by.wordId, askedBy: uid, ...move })
}

/** Whether somebody moves it on their own word; `alone` where that takes a second person, and the shop has none. */
async function standingOf(tx: Sql, { uid, role, now }: Person, move: ValueMove): Promise<'own' | 'alone' | 'second'> {
  const { second, counts } = moveEntry(move.kind)
  if (!second) return 'own'
  if (counts) await lockMover(tx, uid)
  const isNeeded = needsSecondWord(move, {
    movedTodaySatang: counts ? await findMovedToday(tx, uid, now) : 0,
    limitSatang: await findTwoPersonAmount(tx),
    holdsOwner: await holdsOwner(tx, uid, move, now),
  })
  if (!isNeeded) return 'own'
  return (await isLone(tx, second.from, { uid, role }, now)) ? 'alone' : 'second'
}

/** Who stands behind a move beside who makes it. */
interface Behind {
  secondUid: string | null
  wordId: string | null
  isAlone: boolean
}

async function record(tx: Sql, person: Person, move: ValueMove, behind: Behind): Promise<void> {
  const { tells } = moveEntry(move.kind)
  const id = await insertMove(tx, person, { ...move, ...behind })
  if (tells.when === 'always' || behind.secondUid !== null || behind.isAlone)
    await tell(tx, { event: 'valueMoved', id, now: person.now })
}

/** Who stood behind it though they are tied went alone, too. */
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
 * Records that somebody moves value without a customer's money, in the transaction that moves it: adds up their day, asks
 * for a second person and tells of it, as VALUE_MOVE says. A handler that calls it is of an endpoint with `secondWord`, and
 * is run once more, with `secondBy`, when somebody gave the word.
 * @throws FORBIDDEN, SECOND_WORD_NEEDED; under a word also SECOND_WORD_NOT_YOURS, SECOND_WORD_CHANGED, SECOND_WORD_OVER
 */
export async function moveValue(tx: Sql, person: Person, move: ValueMove): Promise<void> {
  if (!can(person.role, moveEntry(move.kind).allow)) throw new AppError('FORBIDDEN')
  const { secondBy = null } = person
  if (secondBy) {
    await useWord(tx, person, secondBy, move)
    return recordBehind(tx, person, move, { secondUid: secondBy.uid, wordId: secondBy.wordId })
  }
  const standing = await standingOf(tx, person, move)
  if (standing === 'second')
    throw new AppError('SECOND_WORD_NEEDED', { values: { sent: 'กรุณาทำรายการในหลังร้าน' }, details: { ...move } })
  await record(tx, person, move, { secondUid: null, wordId: null, isAlone: standing === 'alone' })
}

/**
 * The same for what is done at once, and moves nothing before a second person stood behind it: false where it takes one.
 * Then nothing is recorded yet, see `moveBehind`.
 */
export async function moveOrWait(tx: Sql, person: Person, move: ValueMove): Promise<boolean> {
  const standing = await standingOf(tx, person, move)
  if (standing === 'second') return false
  await record(tx, person, move, { secondUid: null, wordId: null, isAlone: standing === 'alone' })
  return true
}

/** Records what waited for a second person, who now stands behind it. @throws SECOND_WORD_NOT_YOURS */
export async function moveBehind(
  tx: Sql,
  person: Person,
  second: Pick<SecondBy, 'uid' | 'role' | 'keys'>,
  move: ValueMove,
) {
  const { second: word } = moveEntry(move.kind)
  invariant(word, 'only what takes a second person waits for one')
  const asked = { kind: move.kind, askedBy: person.uid, owners: move.owners ?? [], action: word.from }
  await mustBeGiver(tx, asked, second, person.now)
  await recordBehind(tx, person, move, { secondUid: second.uid, wordId: null })
}
