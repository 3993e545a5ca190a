import { demoLine } from 'local/line-emulator/demo.ts'
import { type RunningLineEmulator, startLineEmulator } from 'local/line-emulator/server.ts'
import { saveFriend } from '../chat/store.ts'
import { openDrain } from '../start/outbox-kind.ts'
import { addAccount, createTestShop, type TestShop } from './shop.ts'

export const { users, staffGroup } = demoLine
const { loginChannel, messagingChannel } = demoLine

export interface ChatShop extends TestShop {
  line: RunningLineEmulator
  /** Tells and sends all that is due. */
  drain: () => Promise<void>
  /** What LINE showed in a chat, oldest first. */
  shownTo: (chatId: string) => string[]
  close: () => Promise<void>
}

/** A shop that speaks through an emulator of LINE, which goes by the shop's clock. Nothing is bound or linked yet. */
export async function createChatShop(env: Record<string, string> = {}): Promise<ChatShop> {
  let it: TestShop | undefined
  const line = await startLineEmulator({
    port: 0,
    seed: { quota: { type: 'none' }, webhookUrl: 'http://127.0.0.1:1/' },
    now: () => it?.clock.now.getTime() ?? Date.now(),
  })
  it = await createTestShop({
    LINE_API_BASE_URL: line.origin,
    LINE_LOGIN_CHANNEL_ID: loginChannel.id,
    LINE_LOGIN_CHANNEL_SECRET: loginChannel.secret,
    LINE_CHANNEL_ACCESS_TOKEN: messagingChannel.accessToken,
    LINE_CHANNEL_SECRET: messagingChannel.secret,
    LINE_LIFF_ID: demoLine.liffId,
    LINE_TIMEOUT_MS: '10000',
    ...env,
  })
  const { shop, db } = it
  const drain = openDrain(shop)
  return {
    ...it,
    line,
    drain: drain.run,
    shownTo: chatId =>
      (line.state.chats.get(chatId) ?? []).flatMap(({ from, message }) =>
        from === 'bot' ? [String(message.altText ?? message.text)] : [],
      ),
    async close() {
      await drain.close()
      await Promise.all([line.stop(), db.close()])
    },
  }
}

/** The demo staff's group as a room of the shop. */
export async function bindRoom(
  { db, clock }: TestShop,
  room: 'staff' | 'managers',
  groupId: string = staffGroup.groupId,
) {
  await db.query({
    text: `INSERT INTO chat_room (room, group_id, group_name, member_count, bound_by, bound_at)
      SELECT $1, $2, 'ทีมเติมเกม', 1, uid, $3 FROM account LIMIT 1`,
    values: [room, groupId, clock.now],
  })
}

/** An account whose person LINE knows by an id. */
export async function linkLine({ db, clock }: TestShop, uid: string, lineId: string): Promise<void> {
  await db.query({
    text: `INSERT INTO linked_identity (provider, subject, uid, linked_at) VALUES ('line', $1, $2, $3)`,
    values: [lineId, uid, clock.now],
  })
}

export async function addLinked(
  it: TestShop,
  uid: string,
  role: Parameters<typeof addAccount>[2],
  lineId: string,
): Promise<void> {
  await addAccount(it, uid, role)
  await linkLine(it, uid, lineId)
}

export const unfriend = ({ db, clock }: TestShop, lineId: string) =>
  saveFriend(db, { lineId, isFriend: false, since: clock.now })
