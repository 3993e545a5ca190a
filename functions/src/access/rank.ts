import { ACCOUNT_STATUS_LABELS, ROLE_LABELS } from '@shop/shared/account/account.ts'
import { AppError } from '@shop/shared/errors.ts'
import { isAdminSide } from '@shop/shared/permissions.ts'
import { type Account, findAccount, findAdmins, personNameOf } from '../account/store.ts'
import type { Person } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { moveValue } from '../value/moving.ts'
import { hasOthers } from '../value/store.ts'
import { tellOwner } from './news.ts'

type Rank = Pick<Account, 'role' | 'status'>

const isActiveAdmin = ({ role, status }: Rank): boolean => role === 'admin' && status !== 'inactive'

const wordsOf = ({ role, status }: Rank): string => `${ROLE_LABELS[role]} ${ACCOUNT_STATUS_LABELS[status]}`

/** Returns a change of rank in words: from what to what. */
export const rankWords = (from: Rank, to: Rank): string => `${wordsOf(from)} → ${wordsOf(to)}`

const nameOf = async (db: Sql, uid: string | undefined): Promise<string | null> => {
  const account = uid === undefined ? null : await findAccount(db, uid)
  return account && personNameOf(account)
}

/** What befalls a person of the shop's, and in whose name. */
interface RankNews {
  target: Account
  change: string
  at: Date
  byName: string | null
  secondName?: string | null
}

/**
 * Tells everybody who is an admin, and whom it is about. Call it before the change: whoever loses a rank by it is still
 * among them, and so is the address that they had.
 */
export async function tellRank(tx: Sql, { target, change, at, byName, secondName }: RankNews): Promise<void> {
  const facts = { whose: personNameOf(target), change, byName, ...(secondName && { secondName }) }
  for (const uid of new Set([...(await findAdmins(tx)), target.uid]))
    await tellOwner(tx, { uid, kind: 'rankChanged', byShop: false, at, facts })
}

async function moveAndTell(
  tx: Sql,
  by: Person,
  kind: 'adminMade' | 'adminEnded' | 'rankChanged',
  { target, change }: Pick<RankNews, 'target' | 'change'>,
): Promise<void> {
  const about = { subject: `account:${target.uid}`, owners: [`u:${target.uid}`] } as const
  await moveValue(tx, by, { kind, amountSatang: 0, ...about, note: change })
  const [byName, secondName] = [await nameOf(tx, by.uid), await nameOf(tx, by.secondBy?.uid)]
  await tellRank(tx, { target, change, at: by.now, byName, secondName })
}

/**
 * Takes the rank of an admin, or the way by which they come in: another admin must agree, who is neither of the two.
 * @throws LAST_TWO_ADMINS where there is none, and the errors of moveValue
 */
export async function endAdmin(tx: Sql, by: Person, target: Account, change: string): Promise<void> {
  const others = (await findAdmins(tx)).filter(uid => uid !== by.uid && uid !== target.uid)
  if (others.length === 0 && (await hasOthers(tx, 'value.secondAdmin', by.uid, by.now)))
    throw new AppError('LAST_TWO_ADMINS')
  await moveAndTell(tx, by, 'adminEnded', { target, change })
}

/** Weighs that a colleague comes, goes or changes rank, and tells of it. Call it before the change is saved. */
export async function moveRank(tx: Sql, by: Person, target: Account, next: Rank): Promise<void> {
  if (!isAdminSide(target.role) && !isAdminSide(next.role)) return
  const change = rankWords(target, next)
  if (isActiveAdmin(target) && !isActiveAdmin(next)) return endAdmin(tx, by, target, change)
  const kind = isActiveAdmin(next) && !isActiveAdmin(target) ? 'adminMade' : 'rankChanged'
  await moveAndTell(tx, by, kind, { target, change })
}

/** Weighs that an admin gives up their own rank, which takes nobody else's word, and tells of it. @throws LAST_ADMIN */
export async function moveOwnRank(tx: Sql, by: Person, target: Account, next: Rank): Promise<void> {
  if ((await findAdmins(tx)).length === 1) throw new AppError('LAST_ADMIN')
  await moveAndTell(tx, by, 'rankChanged', { target, change: `${rankWords(target, next)} (ลาออกเอง)` })
}
