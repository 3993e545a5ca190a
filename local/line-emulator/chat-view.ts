import { randomUUID } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { html, raw } from 'hono/html'
import { fontStyle } from '../page-font.ts'
import { chatScript, chatStyle } from './chat-style.ts'
import type { Control } from './control.ts'
import { type Html, renderAction, renderFlex } from './flex-html.ts'
import { renderAddFriendPage } from './login-page.ts'
import { type ChatEntry, type Group, getPicturePath, isFriend, type Message, type State, type User } from './state.ts'

type Fields = Record<string, unknown>

/** Serves a page that shows what a customer and the staff group see in LINE, with buttons that work. */
export function createChatView(state: State, control: Control): Hono {
  const app = new Hono()
  // Every run counts its versions from 1. So the tag names the run too, or browsers would keep showing an earlier run.
  const runId = randomUUID()
  const answerFragment = (context: Context, render: () => Html) => {
    const etag = `"${runId}-${state.version}"`
    if (context.req.header('if-none-match') === etag) return context.body(null, 304)
    context.header('etag', etag)
    return context.html(render())
  }
  app.get('/', context => {
    const user = state.users.get(context.req.query('user') ?? '') ?? [...state.users.values()][0]
    const group = state.groups.get(context.req.query('group') ?? '') ?? [...state.groups.values()][0]
    return context.html(renderPage(state, user, group))
  })
  app.get('/__emu/view/people', context =>
    answerFragment(context, () => renderPeople(state, context.req.query('user') ?? '')),
  )
  app.get('/__emu/view/log', context => answerFragment(context, () => renderLog(state)))
  app.get('/__emu/view/chat/:chatId', context =>
    answerFragment(context, () => renderChat(state, context.req.param('chatId'))),
  )
  app.get('/__emu/view/menu/:chatId', context =>
    answerFragment(context, () => renderMenu(state, context.req.param('chatId'))),
  )
  app.get('/__emu/menu/:id', context => {
    const picture = state.richMenus.get(context.req.param('id'))?.picture
    if (!picture) return context.notFound()
    return new Response(new Uint8Array(picture.bytes), { headers: { 'content-type': picture.type } })
  })
  app.get('/R/ti/p/:basicId', context => context.html(renderAddFriendPage(state)))
  app.post('/R/ti/p/:basicId', async context => {
    const user = state.users.get(String((await context.req.formData()).get('userId')))
    if (user && !isFriend(user)) await control.follow(user.userId)
    return context.html(renderAddFriendPage(state, user?.displayName))
  })
  return app
}

function renderPage(state: State, user: User | undefined, group: Group | undefined) {
  return html`<!doctype html>
    <html lang="th">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>LINE จำลอง · ${state.officialAccount.displayName}</title>
        <link rel="icon" href="/__emu/pictures/${state.officialAccount.userId}" />
        <style>
          ${raw(fontStyle + chatStyle)}
        </style>
      </head>
      <body>
        <header>
          <h1>LINE จำลอง</h1>
          <p>ดูสิ่งที่ลูกค้าและทีมงานเห็นในแชต กดปุ่มในข้อความได้จริง ไม่มีข้อความใดออกไปนอกเครื่องนี้</p>
        </header>
        <main>
          <div>
            <section class="card" aria-labelledby="people">
              <h2 id="people">ผู้ใช้ LINE</h2>
              <div data-fragment="/__emu/view/people?user=${user?.userId}">${renderPeople(state, user?.userId ?? '')}</div>
            </section>
            <section class="card" aria-labelledby="log">
              <h2 id="log">ล่าสุด</h2>
              <div data-fragment="/__emu/view/log">${renderLog(state)}</div>
            </section>
          </div>
          ${user ? renderUserPhone(state, user) : ''} ${group ? renderGroupPhone(state, group, user) : ''}
        </main>
        <script>
          ${raw(chatScript)}
        </script>
      </body>
    </html>`
}

const friendshipWords = { friend: 'เป็นเพื่อนแล้ว', none: 'ยังไม่เป็นเพื่อน', blocked: 'บล็อกร้านอยู่' }

function renderPeople(state: State, currentId: string): Html {
  return html`<ul class="people">
    ${[...state.users.values()].map(
      user => html`<li>
        <a class="person" href="/?user=${user.userId}" ${user.userId === currentId ? raw('aria-current="true"') : ''}>
          <img src="${getPicturePath(user)}" alt="" />
          <span><b>${user.displayName}</b><small>${friendshipWords[user.friendship]}</small></span>
        </a>
        <div class="buttons">
          <a class="button primary" href="/__emu/open?userId=${user.userId}" target="_blank">เปิดร้านใน LINE</a>
          ${
            isFriend(user)
              ? html`<button class="button" data-command="/unfollow" data-user="${user.userId}">บล็อก</button>`
              : html`<button class="button" data-command="/follow" data-user="${user.userId}">เพิ่มเพื่อน</button>`
          }
        </div>
      </li>`,
    )}
  </ul>`
}

const logLength = 8

function renderLog(state: State): Html {
  const sent = state.sentMessages.slice(-logLength).map(({ at, kind, to, delivered }) => {
    const name = state.users.get(to)?.displayName ?? state.groups.get(to)?.groupName ?? to
    return { at, isBad: !delivered, title: `${kind} → ${name}`, note: delivered ? 'ส่งถึงแล้ว' : 'รับไว้แต่ไม่ถึงผู้ใช้' }
  })
  const heard = state.deliveries.slice(-logLength).map(delivery => ({
    at: delivery.at,
    isBad: delivery.outcome !== 'ok',
    title: `webhook ${delivery.eventTypes.join(', ')}`,
    note: `${delivery.statusCode ?? delivery.outcome} · ${delivery.durationMs} ms${delivery.isRedelivery ? ' · ส่งซ้ำ' : ''}`,
  }))
  const lines = [...sent, ...heard].sort((a, b) => b.at - a.at).slice(0, logLength)
  if (!lines.length) return html`<p class="log">ยังไม่มีข้อความหรือ webhook</p>`
  return html`<ul class="log">
    ${lines.map(
      line =>
        html`<li class="${line.isBad ? 'bad' : ''}">${formatTime(line.at)} <b>${line.title}</b> · ${line.note}</li>`,
    )}
  </ul>`
}

function renderUserPhone(state: State, user: User) {
  return html`<section aria-label="แชตของ ${user.displayName}">
    <h2>แชตของ ${user.displayName}</h2>
    <div class="phone" data-chat="${user.userId}" data-user="${user.userId}">
      <div class="phone-head"><b>${state.officialAccount.displayName}</b></div>
      ${renderPhoneBody(state, user.userId)}
      <div data-fragment="/__emu/view/menu/${user.userId}">${renderMenu(state, user.userId)}</div>
    </div>
  </section>`
}

/** Draws the account's rich menu: its picture with a link or a button over each area. */
function renderMenu(state: State, chatId: string): Html {
  const menu = state.richMenus.get(state.defaultRichMenu ?? '')
  if (!menu) return html``
  const { size, areas, chatBarText } = menu.definition as unknown as MenuDefinition
  return html`<nav class="menu" aria-label="${chatBarText}">
    <img src="/__emu/menu/${menu.richMenuId}" alt="" />
    ${areas.map(({ bounds, action }) => {
      const part = (length: number, of: number) => `${(length / of) * 100}%`
      const { x, y, width, height } = bounds
      const left = `left:${part(x, size.width)};width:${part(width, size.width)}`
      const style = `position:absolute;${left};top:${part(y, size.height)};height:${part(height, size.height)}`
      const words = html`<span class="sr-only">${action.label}</span>`
      return renderAction(action, style, '', words, createOpenUri(state, chatId))
    })}
  </nav>`
}

interface MenuDefinition {
  size: { width: number; height: number }
  chatBarText: string
  areas: { bounds: { x: number; y: number; width: number; height: number }; action: Fields }[]
}

function renderGroupPhone(state: State, group: Group, user: User | undefined) {
  const others = [...state.groups.values()].filter(({ groupId }) => groupId !== group.groupId)
  const members = group.memberIds.flatMap(id => state.users.get(id) ?? [])
  return html`<section aria-label="กลุ่ม ${group.groupName}">
    <h2>กลุ่ม ${group.groupName}</h2>
    ${others.map(
      ({ groupId, groupName }) =>
        html`<p><a class="button" href="/?user=${user?.userId}&group=${groupId}">เปิดกลุ่ม ${groupName}</a></p>`,
    )}
    <div class="phone" data-chat="${group.groupId}">
      <div class="phone-head">
        <b>${group.groupName} (${members.length + (group.botJoined ? 1 : 0)})</b>
        <select aria-label="พูดในกลุ่มเป็น">
          ${members.map(member => html`<option value="${member.userId}">${member.displayName}</option>`)}
        </select>
      </div>
      ${renderPhoneBody(state, group.groupId)}
    </div>
  </section>`
}

function renderPhoneBody(state: State, chatId: string) {
  return html`<div class="chat" tabindex="0" role="log" aria-label="ข้อความ" data-fragment="/__emu/view/chat/${chatId}">
      ${renderChat(state, chatId)}
    </div>
    <form class="composer">
      <input name="text" aria-label="พิมพ์ข้อความ" placeholder="พิมพ์ข้อความ" autocomplete="off" />
      <button class="button">ส่ง</button>
    </form>`
}

function renderChat(state: State, chatId: string): Html {
  const entries = state.chats.get(chatId) ?? []
  if (!entries.length) return html`<p class="empty">ยังไม่มีข้อความ</p>`
  const quickReply = entries.at(-1)?.message.quickReply as { items: { action: Fields }[] } | undefined
  return html`${entries.map(entry => renderEntry(state, chatId, entry))}
  ${
    quickReply
      ? html`<div class="quick">
          ${quickReply.items.map(({ action }) => renderAction(action, '', '', action.label, createOpenUri(state, chatId)))}
        </div>`
      : ''
  }`
}

function renderEntry(state: State, chatId: string, entry: ChatEntry): Html {
  if (entry.from === 'system') return html`<div class="notice">${entry.message.text}</div>`
  const isBot = entry.from === 'bot'
  const time = html`<time>${formatTime(entry.at)}</time>`
  const content = renderMessage(entry.message, createOpenUri(state, chatId))
  if (!isBot && entry.from === chatId) return html`<div class="entry mine">${time}${content}</div>`
  const author = state.users.get(entry.from)
  const name = author?.displayName ?? state.officialAccount.displayName
  const picture = author ? getPicturePath(author) : `/__emu/pictures/${state.officialAccount.userId}`
  return html`<div class="entry">
    <img src="${picture}" alt="" />
    <div><div class="who">${name}</div>${content}</div>
    ${time}
  </div>`
}

function renderMessage(message: Message, openUri: (uri: string) => string): Html {
  if (message.type === 'flex') return renderFlex(message.contents as Fields, openUri)
  if (message.type === 'image') {
    return html`<img class="bubble" style="width:220px" alt="รูปภาพ" src="${message.previewImageUrl}" />`
  }
  return html`<div class="words">${message.text ?? message.altText ?? `[${message.type}]`}</div>`
}

/**
 * LIFF links open the emulated in-app browser. In a group they name its first member, until the page's script puts in
 * who is speaking.
 */
function createOpenUri(state: State, chatId: string): (uri: string) => string {
  const prefix = `https://liff.line.me/${state.liffApp.liffId}`
  const userId = state.groups.get(chatId)?.memberIds[0] ?? chatId
  return uri =>
    uri.startsWith(prefix)
      ? `/__emu/open?${new URLSearchParams({ userId, path: uri.slice(prefix.length) || '/' })}`
      : uri
}

const timeFormat = new Intl.DateTimeFormat('th-TH', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Bangkok' })

function formatTime(at: number): string {
  return timeFormat.format(at)
}
