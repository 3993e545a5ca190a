import { randomUUID } from 'node:crypto'
import { ownerCode as ownerCodeCard } from '@shop/shared/chat/owner-messages.ts'
import { ownerCodeLetter } from '@shop/shared/credit/owner-code-letter.ts'
import { AppError } from '@shop/shared/errors.ts'
import { isNumberOpen, maskAddress, OPENING_TRIES } from '@shop/shared/order/codes.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { RESET_SECONDS } from '@shop/shared/wallet/top-up.ts'
import type { Pins } from '../account/pins.ts'
import { cameFromLine } from '../account/session.ts'
import type { Account } from '../account/store.ts'
import { ownerCode } from '../account/tables.ts'
import type { TokenIdentity } from '../account/token.ts'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { mustTakeOrders } from '../outbox/safe-mode.ts'
import type { Shop } from '../shop/shop.ts'
import { findReachAt, isReachedByLine, isReachedByMail, type Reach } from './news.ts'
import { findRecentOpening } from './opening.ts'
import { mustBeRecent, type SignedIn } from './own-account.ts'
import { newNumber } from './pin.ts'

/** Returns since when the account has the way that a session was signed in by; null when nobody recorded that. */
function wayHeldSince(account: Account, token: TokenIdentity): Date | null {
  if (cameFromLine(token)) return account.lineLinkedAt
  const since = account.providersSince[token.provider]
  return since ? new Date(since) : null
}

/**
 * Tells whether a session was signed in by a way that only the account's owner can have: one of those that the account was
 * made with or has had for a day, and no password that the shop has just set. Who was given a password changes it and adds
 * their own ways at once, but none of them is old.
 */
function isOwnersWay(
  account: Account,
  token: TokenIdentity,
  { openedAt, now }: { openedAt: Date | null; now: Date },
): boolean {
  const since = wayHeldSince(account, token)
  const isNew = since !== null && since > account.createdAt && since > addSeconds(now, -RESET_SECONDS)
  return !isNew && (openedAt === null || token.provider !== 'password')
}

const kept = under(ownerCode)

/** Codes and PINs of the same person have hashes of their own. */
const codeOwner = (uid: string): string => `code ${uid}`

/** Returns why a typed code is refused; a right one is used up. */
async function tryCode(tx: Sql, pins: Pins, { uid, now }: SignedIn, code: string): Promise<AppError | null> {
  const [sent] = await tx.query({
    text: sql`SELECT ${row(pick(kept, 'hash', 'sentAt', 'tries'))} FROM ${kept} WHERE ${kept.uid} = $1 FOR UPDATE`,
    values: [uid],
  })
  if (!sent || !isNumberOpen(sent, now)) return new AppError('NUMBER_OVER')
  if (await pins.isRight(codeOwner(uid), sent.hash, code)) {
    await tx.query({ text: sql`DELETE FROM ${kept} WHERE ${kept.uid} = $1`, values: [uid] })
    return null
  }
  await tx.query({
    text: sql`UPDATE ${kept} SET ${kept.tries} = ${kept.tries} + 1 WHERE ${kept.uid} = $1`,
    values: [uid],
  })
  const left = OPENING_TRIES - sent.tries - 1
  return left > 0 ? new AppError('NUMBER_WRONG', { values: { n: left } }) : new AppError('NUMBER_OVER')
}

/**
 * Asks for a proof that only the owner of an account can give, which a session is not: a sign-in of this moment by a way
 * that is theirs, or a code that the shop sent them. Returns the refusal, which the caller throws AFTER the commit, so that
 * a wrong code counts. @throws RECENT_SIGN_IN_REQUIRED
 */
export async function proveOwner(
  tx: Sql,
  { pins }: Pick<Shop, 'pins'>,
  by: SignedIn,
  { account, code }: { account: Account; code: string | undefined },
): Promise<AppError | null> {
  if (code !== undefined) return tryCode(tx, pins, by, code)
  const openedAt = await findRecentOpening(tx, by.uid, by.now)
  if (!isOwnersWay(account, by.token, { openedAt, now: by.now })) return new AppError('OWNER_CODE_REQUIRED')
  mustBeRecent(by)
  return null
}

async function sendByLine({ chat }: Pick<Shop, 'chat'>, { lineId }: Reach, code: string): Promise<boolean> {
  const answer = await chat!.push({ to: lineId!, retryKey: randomUUID(), messages: [ownerCodeCard(code)] })
  return answer.kind === 'accepted'
}

async function sendByMail(shop: Shop, { email }: Reach, { uid, now }: SignedIn, code: string): Promise<boolean> {
  const url = `${shop.config.STOREFRONT_URL.replace(/\/$/, '')}/user/${encodeURIComponent(uid)}?panel=pin`
  const letter = ownerCodeLetter(code, url)
  const id = `owner-code.${uid}.${now.getTime()}`
  return (await shop.mail!.send({ id, to: email!, date: now, ...letter })).kind === 'accepted'
}

/**
 * Sends a code to the owner of an account, in LINE or else by mail, where they could be reached a day ago. It is sent at
 * once and kept nowhere as it is; the one before is over. @throws OWNER_CODE_NO_ADDRESS, OWNER_CODE_NOT_SENT
 */
export async function sendCode(shop: Shop, by: SignedIn): Promise<{ sentTo: string }> {
  const { uid, now } = by
  await mustTakeOrders(shop.db)
  const reach = await findReachAt(shop.db, uid, addSeconds(now, -RESET_SECONDS))
  const [hasLine, hasMail] = [isReachedByLine(shop, reach), isReachedByMail(shop, reach)]
  if (!hasLine && !hasMail) throw new AppError('OWNER_CODE_NO_ADDRESS')
  const code = newNumber()
  const made = { hash: shop.pins.hash(codeOwner(uid), code), sentAt: now, tries: 0 }
  await shop.db.orm
    .insert(ownerCode)
    .values({ uid, ...made })
    .onConflictDoUpdate({ target: ownerCode.uid, set: made })
  if (hasLine && (await sendByLine(shop, reach, code))) return { sentTo: 'LINE ของคุณ' }
  if (hasMail && (await sendByMail(shop, reach, by, code))) return { sentTo: maskAddress(reach.email!) }
  throw new AppError('OWNER_CODE_NOT_SENT')
}
