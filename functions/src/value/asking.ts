import { createHash } from 'node:crypto'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { moveEntry, type ValueMove, type WordAction } from '@shop/shared/value/value.ts'
import { uuidv7 } from 'uuidv7'
import { account } from '../account/tables.ts'
import { type HeldRequest, personOf, type SecondBy } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { tell } from '../outbox/outbox.ts'
import { findUnusedWord, insertWord, type WordRow } from './word-store.ts'

const SENT_TO: Record<WordAction, string> = {
  'value.second': 'ส่งให้ผู้จัดการคนอื่นแล้ว',
  'value.secondAdmin': 'ส่งให้ผู้ดูแลระบบคนอื่นแล้ว',
}
const REPEATED = 'เมื่อยืนยันแล้ว กรุณาทำรายการนี้อีกครั้งภายใน 24 ชั่วโมง'

/** Hashes what identifies a question: the person, the call and its input but for its secrets. */
function digestOf({ call, sent, endpoint: { secrets = [] } }: HeldRequest, uid: string): string {
  const known = JSON.stringify([uid, call, sent], (key, value) => (secrets.includes(key) ? undefined : value))
  return createHash('sha256').update(known).digest('base64url')
}

const a = under(account, 'a')

/** Returns who agreed to a question, as it was stored. */
const giverOf = async (db: Sql, word: WordRow): Promise<SecondBy | null> => {
  const [giver] = await db.query({
    text: sql`SELECT ${row(pick(a, 'uid', 'role'))} FROM ${a} WHERE ${a.uid} = $1 AND ${a.status} <> 'inactive'`,
    values: [word.decidedBy],
  })
  return giver ? { ...giver, keys: [`u:${giver.uid}`], wordId: word.id, isRepeated: true, asked: word } : null
}

/** Stores the question and answers with it. @throws SECOND_WORD_NEEDED with `details.secondWordId` */
async function ask(held: HeldRequest, move: ValueMove): Promise<never> {
  const { endpoint, context, sent, call } = held
  const { shop, now, once, guestHash } = context
  const { uid } = personOf(context)
  const isRepeated = endpoint.secondWord === 'repeats'
  const { second } = moveEntry(move.kind)
  invariant(second, 'only what takes a second word asks for it')
  const { kind, amountSatang, subject, note, owners = [], evidence = null } = move
  const id = await shop.db.transaction(async tx => {
    const asked = { kind, amountSatang, subject, note, owners: [...owners], action: second.from, evidence }
    const kept = isRepeated ? { input: null, once: null } : { input: sent, once }
    const open = { state: 'waiting', decidedBy: null, decidedAt: null, reason: null, usedAt: null } as const
    const stored = {
      ...asked,
      ...kept,
      ...open,
      digest: digestOf(held, uid),
      call,
      askedAt: now,
      askedBy: uid,
      guestHash,
    }
    const word = await insertWord(tx, { ...stored, id: uuidv7() })
    if (word.isNew) await tell(tx, { event: 'secondWordNeeded', id: word.id, now })
    return word.id
  })
  const told = [SENT_TO[second.from], ...(isRepeated ? [REPEATED] : [])].join(' ')
  throw new AppError('SECOND_WORD_NEEDED', { values: { sent: told }, details: { secondWordId: id } })
}

/**
 * Asks for the second person's agreement that a request needs. When the caller repeats a call that somebody has agreed
 * to, it is carried out. @throws SECOND_WORD_NEEDED with `details.secondWordId`
 */
export async function askSecondWord(
  held: HeldRequest,
  need: AppError,
  run: (secondBy: SecondBy) => Promise<unknown>,
): Promise<unknown> {
  const { endpoint, context, call } = held
  const move = need.details as unknown as ValueMove
  invariant(
    endpoint.secondWord,
    `${call} moves value (${move.kind}) and must say what becomes of it under a second word`,
  )
  const { shop, now } = context
  const isRepeated = endpoint.secondWord === 'repeats'
  const given = isRepeated && (await findUnusedWord(shop.db, digestOf(held, personOf(context).uid), now))
  // The agreement covers the amount that was looked at; a larger one needs a new agreement.
  const isEnough = given && given.kind === move.kind && move.amountSatang <= given.amountSatang
  const secondBy = isEnough ? await giverOf(shop.db, given) : null
  return secondBy ? run(secondBy) : ask(held, move)
}
