import { randomInt } from 'node:crypto'
import type { ChatCodePurpose, ChatRoom } from '@shop/shared/chat/chat.ts'
import type { Heard } from '@shop/shared/chat/heard.ts'
import { AppError } from '@shop/shared/errors.ts'
import { addSeconds } from '@shop/shared/time.ts'
import { linkLine } from '../access/links.ts'
import { tellAdmins } from '../access/news.ts'
import { hashSecret } from '../account/caller.ts'
import { findAccount, personNameOf } from '../account/store.ts'
import { audit } from '../audit/store.ts'
import type { Person } from '../call/route.ts'
import { type Sql, violatedConstraint } from '../database/database.ts'
import { tell } from '../outbox/outbox.ts'
import type { Shop } from '../shop/shop.ts'
import type { Answer } from './order-asks.ts'
import { type CodeRow, findRooms, insertCode, loseRoom, saveRoom, takeCode } from './store.ts'

const CODE_SECONDS = 600
const CODE_DIGITS = 10

/** Makes a code that its owner types into a chat within ten minutes. It works once and replaces their earlier code. */
export async function makeCode(shop: Shop, { uid, now }: Person, purpose: ChatCodePurpose) {
  const code = Array.from({ length: CODE_DIGITS }, () => randomInt(10)).join('')
  const expiresAt = addSeconds(now, CODE_SECONDS)
  await insertCode(shop.db, { codeHash: hashSecret(code), purpose, uid, expiresAt })
  return { code, expiresAt: expiresAt.toISOString() }
}

const refused = (why: string): Answer => ({ kind: 'codeRefused', facts: { why } })

/** Handles a code that was typed in a chat: links this group or this person to the code's owner. */
export async function useCode(shop: Shop, { userId, groupId, at }: Heard, typed: string): Promise<Answer | null> {
  const now = shop.now()
  const code = await takeCode(shop.db, hashSecret(typed), now)
  if (!code) return refused('รหัสนี้ใช้ไม่ได้หรือหมดเวลาแล้ว กรุณาสร้างรหัสใหม่ในหลังร้าน')
  if (code.purpose === 'person') {
    if (groupId || !userId) return refused('รหัสนี้ใช้เชื่อม LINE ของคุณ กรุณาสร้างใหม่แล้วส่งให้ร้านในแชทส่วนตัว')
    return linkPerson(shop, code, userId)
  }
  if (!groupId) return refused('รหัสนี้ใช้ผูกกลุ่ม กรุณาสร้างใหม่แล้วส่งในกลุ่มที่ต้องการ')
  return bindGroup(shop, { ...code, purpose: code.purpose }, groupId, new Date(at))
}

async function linkPerson(shop: Shop, { uid }: CodeRow, sub: string): Promise<Answer> {
  const account = await findAccount(shop.db, uid)
  if (!account) return refused(new AppError('NOT_FOUND').message)
  try {
    if (account.lineSubject !== sub) await linkLine(shop, { uid, sub, now: shop.now() })
  } catch (error) {
    if (error instanceof AppError) return refused(error.message)
    throw error
  }
  return { kind: 'codeAccepted', facts: { purpose: 'person', name: personNameOf(account), role: account.role } }
}

/**
 * Tells every admin when somebody removes or replaces the managers' group, because that silences the managers'
 * messages.
 */
export async function tellRoom(
  tx: Sql,
  room: ChatRoom,
  { groupName, uid, now }: { groupName: string | null; uid: string | null; now: Date },
): Promise<void> {
  if (room !== 'managers') return
  const account = uid && (await findAccount(tx, uid))
  const facts = { groupName, byName: account ? personNameOf(account) : null }
  await tellAdmins(tx, { kind: 'managersRoom', byShop: false, at: now, facts })
}

async function bindGroup(
  shop: Shop,
  { uid, purpose: room }: CodeRow & { purpose: ChatRoom },
  groupId: string,
  at: Date,
): Promise<Answer> {
  const group = await shop.chat?.group(groupId)
  if (!group) return refused('อ่านข้อมูลกลุ่มจาก LINE ไม่ได้ กรุณาสร้างรหัสใหม่แล้วลองอีกครั้ง')
  const account = await findAccount(shop.db, uid)
  if (!account) return refused(new AppError('NOT_FOUND').message)
  const { name: groupName, memberCount } = group
  try {
    await shop.db.transaction(async tx => {
      const before = (await findRooms(tx)).find(each => each.room === room)
      await tellRoom(tx, room, { groupName, uid, now: shop.now() })
      await saveRoom(tx, { room, groupId, groupName, memberCount, boundBy: uid, boundAt: at, lostAt: null })
      await tell(tx, { event: 'roomBound', id: room, turn: at.toISOString(), now: shop.now() })
      const sides = { before: before ? { groupName: before.groupName } : null, after: { groupName } }
      const by = { uid, role: account.role, now: shop.now() }
      await audit(tx, by, { action: 'chat.bind', subject: `chatRoom:${room}`, ...sides })
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'chat_room_group') throw error
    return refused('กลุ่มนี้ผูกกับร้านไว้แล้ว หากต้องการเปลี่ยน ให้เลิกผูกในหลังร้านก่อน')
  }
  return { kind: 'codeAccepted', facts: { purpose: room, name: groupName } }
}

/** Handles that the shop was removed from a group, which gets no messages any more. */
export async function leaveGroup({ db, now }: Pick<Shop, 'db' | 'now'>, { groupId, at }: Heard): Promise<void> {
  if (!groupId) return
  await db.transaction(async tx => {
    const lost = await loseRoom(tx, { groupId, at: new Date(at) })
    if (lost) await tellRoom(tx, lost.room, { groupName: null, uid: null, now: now() })
  })
}
