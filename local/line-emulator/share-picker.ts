import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { findMessagesFault } from './message-rules.ts'
import {
  addChatEntry,
  createMessageId,
  createSecretText,
  getPicturePath,
  type Message,
  type Share,
  type State,
} from './state.ts'
import { findUserToken, readBearer } from './tokens.ts'

const PICKER = '/oauth2/v2.1/liff/shareTargetPicker'

/**
 * Serves LINE's share target picker. The shop's page asks for a one-time token, the person picks chats on LINE's page,
 * and the shop's page asks with the token for the result. It is the person who sends the message, so the shop's account
 * gets no event about it.
 */
export function createSharePicker(state: State): Hono {
  const app = new Hono()
  app.get('/liff/v2/apps/:liffId/ott', context => {
    if (context.req.param('liffId') !== state.liffApp.liffId) return context.json({ message: 'not found' }, 404)
    const found = findUserToken(state, readBearer(context.req.header('authorization')) ?? '')
    if ('error' in found) return context.json({ message: found.error }, 401)
    const ott = createSecretText()
    state.shares.set(ott, { userId: found.grant.userId })
    return context.json({ ott })
  })
  app.get(PICKER, context => {
    const share = shareOf(state, context)
    const fault = share && readMessages(share, context.req.query('data'))
    if (!share || fault) return context.html(renderNotice(fault ?? 'ไม่พบการแชร์นี้'), 400)
    return context.html(renderPicker(state, share.userId, context.req.query('ott')!))
  })
  app.get(`${PICKER}/result`, context => {
    const { result } = shareOf(state, context) ?? {}
    return context.json(result ? { result } : {})
  })
  app.post(`${PICKER}/result`, async context => {
    const share = shareOf(state, context)
    if (!share) return context.json({ message: 'not found' }, 404)
    const form = new URLSearchParams(await context.req.text())
    const chats = form.getAll('chat')
    share.result = form.get('result') === 'SUCCESS' && chats.length > 0 ? 'SUCCESS' : 'CANCEL'
    if (share.result === 'SUCCESS') for (const chatId of chats) send(state, chatId, share)
    if (context.req.header('accept')?.includes('text/html')) return context.html(renderNotice('กลับไปที่ร้านได้'))
    return context.json({ status: 'ok' })
  })
  return app
}

const shareOf = (state: State, context: Context) => state.shares.get(context.req.query('ott') ?? '')

/** Keeps the messages to share and returns null, or returns LINE's error when they are invalid. */
function readMessages(share: Share, data: string | undefined): string | null {
  const { messages } = JSON.parse(data ?? '{}') as { messages?: Message[] }
  const fault = findMessagesFault(messages)
  if (fault) return JSON.stringify(fault)
  share.messages = messages
  return null
}

function send(state: State, chatId: string, { userId, messages = [] }: Share): void {
  for (const message of messages)
    addChatEntry(state, chatId, { id: createMessageId(), at: state.clock.now(), from: userId, message })
}

function renderPicker(state: State, userId: string, ott: string) {
  const chats = [
    ...[...state.groups.values()].map(({ groupId, groupName }) => ({ id: groupId, name: groupName, picture: null })),
    ...[...state.users.values()]
      .filter(user => user.userId !== userId)
      .map(user => ({ id: user.userId, name: user.displayName, picture: getPicturePath(user) })),
  ]
  return html`<!doctype html><html lang="th"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
    <title>แชร์ไปที่ (จำลอง)</title><body style="font:16px sans-serif;max-width:28rem;margin:1rem auto;padding:0 1rem">
    <h1 style="font-size:1.25rem">แชร์ไปที่</h1>
    <form method="post" action="${PICKER}/result?ott=${encodeURIComponent(ott)}">
      ${chats.map(
        ({ id, name, picture }) => html`<label style="display:flex;gap:.75rem;align-items:center;min-height:3rem">
          <input type="checkbox" name="chat" value="${id}">
          ${picture ? html`<img src="${picture}" alt="" width="32" height="32">` : ''}<span>${name}</span></label>`,
      )}
      <button name="result" value="SUCCESS">แชร์</button> <button name="result" value="CANCEL">ยกเลิก</button>
    </form></body></html>`
}

const renderNotice = (text: string) =>
  html`<!doctype html><html lang="th"><meta charset="utf-8"><title>แชร์ (จำลอง)</title><body><p>${text}</p><script>window.close()</script></body></html>`
