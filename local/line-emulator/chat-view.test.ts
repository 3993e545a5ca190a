import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { demoLine } from './demo.ts'
import { createLineEmulator, type LineEmulator } from './server.ts'

const { friend, stranger, staff } = demoLine.users
const { staffGroup, liffId, messagingChannel } = demoLine
let line: LineEmulator

beforeEach(() => {
  line = createLineEmulator()
  line.control.holdEvents()
})
afterEach(() => line.control.reset())

const getText = async (path: string) => (await line.app.request(path)).text()

async function push(to: string, contents: object) {
  const answer = await line.app.request('/v2/bot/message/push', {
    method: 'POST',
    headers: { authorization: `Bearer ${messagingChannel.accessToken}` },
    body: JSON.stringify({ to, messages: [{ type: 'flex', altText: 'x', contents }] }),
  })
  expect(answer.status).toBe(200)
}

const createCard = (text: string, ...actions: object[]) => ({
  type: 'bubble',
  body: { type: 'box', layout: 'vertical', contents: [{ type: 'text', text }] },
  footer: { type: 'box', layout: 'vertical', contents: actions.map(action => ({ type: 'button', action })) },
})

test('a card is drawn in the chat it went to, with a postback button that carries its data', async () => {
  const action = { type: 'postback', label: 'รับเรื่อง', data: 'claim:"1"' }
  await push(staffGroup.groupId, createCard('325 UC', action))
  const chat = await getText(`/__emu/view/chat/${staffGroup.groupId}`)
  expect(chat).toContain('325 UC')
  const data = chat.match(/data-action="([^"]+)"/)![1]!
  expect(JSON.parse(data.replaceAll('&quot;', '"').replaceAll('&#39;', "'"))).toEqual(action)
  expect(await getText(`/__emu/view/chat/${friend.userId}`)).not.toContain('325 UC')
})

test('text from a message never becomes markup', async () => {
  await push(friend.userId, createCard('<script>alert(1)</script>'))
  await line.control.sendText(friend.userId, friend.userId, '<img src=x onerror=alert(1)>')
  const page = await getText(`/?user=${friend.userId}`)
  expect(page).not.toContain('<script>alert')
  expect(page).not.toContain('<img src=x')
  expect(page).toContain('&lt;script&gt;')
})

test('a LIFF link opens the shop inside LINE as the person of that chat, other links open as they are', async () => {
  const uri = `https://liff.line.me/${liffId}/game/rov?package=3`
  const other = 'http://localhost:5174/orders/1'
  await push(friend.userId, createCard('x', { type: 'uri', label: 'a', uri }, { type: 'uri', label: 'b', uri: other }))
  const chat = (await getText(`/__emu/view/chat/${friend.userId}`)).replaceAll('&amp;', '&')
  expect(chat).toContain(`href="${other}"`)
  const open = chat.match(/href="(\/__emu\/open[^"]+)"/)![1]!
  const target = new URL((await line.app.request(open)).headers.get('location')!)
  expect(target.searchParams.get('liff.state')).toBe('/game/rov?package=3')
  const hash = new URLSearchParams(target.hash.slice(1))
  for (const name of ['access_token', 'id_token', 'context_token', 'feature_token', 'client_id']) {
    expect(hash.get(name)).toBeTruthy()
  }
  expect(line.state.userTokens.get(hash.get('access_token')!)?.userId).toBe(friend.userId)
})

test('a part of the page is sent again only after a change', async () => {
  const path = `/__emu/view/chat/${friend.userId}`
  const etag = (await line.app.request(path)).headers.get('etag')!
  const again = () => line.app.request(path, { headers: { 'if-none-match': etag } })
  expect((await again()).status).toBe(304)
  await line.control.sendText(friend.userId, friend.userId, 'ใหม่')
  expect((await again()).status).toBe(200)
})

test('the add-friend page makes a stranger a friend and tells the shop', async () => {
  expect(await getText('/R/ti/p/%40demo-shop')).toContain(stranger.displayName)
  const body = new URLSearchParams({ userId: stranger.userId })
  await line.app.request('/R/ti/p/%40demo-shop', { method: 'POST', body })
  expect(line.state.users.get(stranger.userId)?.friendship).toBe('friend')
  expect(line.state.heldEvents?.map(event => event.type)).toEqual(['follow'])
})

test('the staff group can be spoken in as each of its members', async () => {
  expect(await getText('/')).toContain(`<option value="${staff.userId}">${staff.displayName}</option>`)
})

test('the menu stands under every person’s chat with its buttons, and stays after a reset', async () => {
  const send = async (path: string, type: string, body?: BodyInit) => {
    const headers = { authorization: `Bearer ${messagingChannel.accessToken}`, 'content-type': type }
    const answer = await line.app.request(path, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    return (await answer.json()) as { richMenuId: string }
  }
  const size = { width: 800, height: 400 }
  const area = (x: number, action: object) => ({ bounds: { x, y: 0, width: 400, height: 400 }, action })
  const areas = [
    area(0, { type: 'postback', label: 'สถานะ', data: 'status' }),
    area(400, { type: 'uri', label: 'เติมเกม', uri: `https://liff.line.me/${liffId}/game` }),
  ]
  const definition = JSON.stringify({ size, selected: true, name: 'main', chatBarText: 'เมนู', areas })
  const { richMenuId } = await send('/v2/bot/richmenu', 'application/json', definition)
  const picture = await sharp({ create: { ...size, channels: 3, background: 'white' } })
    .png()
    .toBuffer()
  await send(`/v2/bot/richmenu/${richMenuId}/content`, 'image/png', new Uint8Array(picture))
  const view = () => getText(`/__emu/view/menu/${friend.userId}`)
  expect(await view()).not.toContain('<nav')
  await send(`/v2/bot/user/all/richmenu/${richMenuId}`, 'application/json')
  const shown = await view()
  expect(shown).toContain(`<img src="/__emu/menu/${richMenuId}"`)
  expect((await line.app.request(`/__emu/menu/${richMenuId}`)).headers.get('content-type')).toBe('image/png')
  expect(shown).toContain('left:0%;width:50%')
  expect(shown).toMatch(/data-action="[^"]*status[^"]*"[^>]*>\s*<span class="sr-only">สถานะ/)
  expect(shown).toMatch(/left:50%;width:50%[^>]*>\s*<span class="sr-only">เติมเกม|href="\/__emu\/open[^>]*left:50%/)
  line.control.reset()
  expect(await view()).toBe(shown)
})
