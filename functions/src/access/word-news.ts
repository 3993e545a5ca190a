import { labelOfMove } from '@shop/shared/value/value.ts'
import { findAccount, personNameOf } from '../account/store.ts'
import type { Person } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import type { WordRow } from '../value/word-store.ts'
import { tellOwner } from './news.ts'

/**
 * Tells the person who asked for a second person's agreement what was decided and by whom; `reason` says why it was not
 * carried out.
 */
export async function tellAsker(tx: Sql, { uid, now }: Person, word: WordRow, reason?: string): Promise<void> {
  const by = await findAccount(tx, uid)
  const asked = [labelOfMove(word.kind), word.note].filter(Boolean).join(': ')
  const kind = reason === undefined ? 'wordGiven' : 'wordRefused'
  const facts = { asked, reason, byName: by && personNameOf(by) }
  await tellOwner(tx, { uid: word.askedBy, kind, byShop: false, at: now, facts, about: word.id })
}
