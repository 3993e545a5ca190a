import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { updateOrderStatus } from '@shop/shared/order/endpoints.ts'
import { afterEach, beforeEach } from 'vitest'
import { createApp } from '../start/app.ts'
import { addLinked, bindRoom, type ChatShop, createChatShop, linkLine, staffGroup, users } from './chat.ts'
import { buyByBank } from './orders.ts'

export const friend = users.friend.userId
/** Linked to the account "staff". */
export const ploy = users.staff.userId
export const group = staffGroup.groupId
/** Linked to the account "manee", who is of the staff, too. */
export const other = `U${'7'.repeat(32)}`

/** The reply to who has claimed. */
export const MINE = /^คิว \d+ · \S+ รับเรื่องแล้ว/

type Options = Parameters<ChatShop['line']['control']['pressPostback']>[3]

/** Opens for each test a shop that hears what is pressed and said in LINE; its staff's group is bound. */
export function useHearing(onOpen: (it: ChatShop) => void) {
  let it: ChatShop
  let server: Server
  beforeEach(async () => {
    it = await createChatShop()
    onOpen(it)
    server = createServer(getRequestListener(createApp(it.shop).fetch)).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    it.line.state.webhookUrl = `http://127.0.0.1:${port}/line/webhook`
    it.line.control.createUser({ userId: other, displayName: 'มานี', friendship: 'friend' })
    await bindRoom(it, 'staff')
    await linkLine(it, 'staff', ploy)
    await addLinked(it, 'manee', 'staff', other)
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await it.close()
  })
  return {
    async paidOrder(uid: string | null = null): Promise<string> {
      const { orderNo } = await buyByBank(it.as(uid))
      const body = { orderNo, status: 'paid' as const, reason: 'เห็นเงินเข้า' }
      await it.as('admin').call(updateOrderStatus, { body })
      await it.drain()
      return orderNo
    },
    async orderOf(orderNo: string) {
      const [row] = await it.db.query<{ status: string; by: string | null; reference: string | null }>({
        text: 'SELECT status, claimed_by AS by, delivery_reference AS reference FROM orders WHERE order_no = $1',
        values: [orderNo],
      })
      return row!
    },
    /** Presses a button as LINE tells of it, and works off what follows. */
    async press(data: string, userId: string = ploy, options: Options = {}, chatId: string = group) {
      const delivery = await it.line.control.pressPostback(userId, chatId, { data }, options)
      await it.drain()
      return delivery
    },
    async say(text: string, userId: string = ploy, chatId: string = group) {
      await it.line.control.sendText(userId, chatId, text)
      await it.drain()
    },
    last: (chatId: string = group) => it.shownTo(chatId).at(-1),
  }
}
