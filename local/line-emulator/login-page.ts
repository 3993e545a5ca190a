import { html, raw } from 'hono/html'
import { fontStyle } from '../page-font.ts'
import { getPicturePath, isFriend, type LoginRequest, type State, type User } from './state.ts'

const style = raw(`<style>${fontStyle}
  :root { color-scheme: light; --ink:#151922; --ink-2:#4b5263; --line:#e4e7ed; --control:#868ea0; --green:#06c755 }
  * { box-sizing: border-box }
  body { margin:0; min-height:100vh; display:grid; place-items:center; background:#f5f6f8; color:var(--ink);
    font:16px/1.6 "Noto Sans Thai Looped Variable",Thonburi,"Leelawadee UI","Noto Sans Thai",system-ui,sans-serif }
  main { width:min(100%,420px); background:#fff; border-radius:16px; padding:28px 24px; border:1px solid var(--line) }
  @media (max-width:480px) { body { place-items:start stretch; background:#fff } main { border:0; width:100% } }
  h1 { margin:0 0 4px; font-size:22px; line-height:1.45 }
  p { margin:0 0 16px; color:var(--ink-2); font-size:15px }
  fieldset { border:0; margin:0 0 16px; padding:0; display:grid; gap:8px }
  legend { font-weight:600; font-size:15px; margin-bottom:8px; padding:0 }
  label { display:flex; align-items:center; gap:12px; min-height:56px; padding:8px 14px; border:1px solid #c3c9d6;
    border-radius:12px; cursor:pointer }
  label:has(input:checked) { border-color:var(--green); box-shadow:inset 0 0 0 1px var(--green) }
  label:has(:focus-visible) { outline:2px solid #2347c5; outline-offset:2px }
  label img { width:40px; height:40px; border-radius:50% }
  label span { flex:1 } small { display:block; color:var(--ink-2); font-size:13px }
  input { width:18px; height:18px; accent-color:var(--green) }
  ul { margin:0 0 16px; padding:12px 16px 12px 32px; background:#f5f6f8; border-radius:12px; font-size:14px }
  button { width:100%; min-height:52px; border-radius:12px; border:0; font:inherit; font-size:17px; font-weight:600; cursor:pointer }
  button:focus-visible { outline:2px solid #2347c5; outline-offset:2px }
  .allow { background:var(--green); color:#fff; margin-top:8px } .deny { background:none; color:var(--ink-2); margin-top:4px }
</style>`)

const scopeNames: Record<string, string> = {
  openid: 'ตัวตนของคุณ (ID token)',
  profile: 'ชื่อและรูปโปรไฟล์',
  email: 'อีเมล',
  'chat_message.write': 'ส่งข้อความในแชตแทนคุณ',
}

function renderPage(title: string, body: unknown) {
  return html`<!doctype html>
    <html lang="th">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`
}

/** Asks on one page what LINE asks in two steps: who signs in, and whether they agree. */
export function renderLoginPage(state: State, requestId: string, request: LoginRequest) {
  const users = [...state.users.values()]
  return renderPage(
    'เข้าสู่ระบบด้วย LINE (จำลอง)',
    html`<h1>เข้าสู่ระบบด้วย LINE</h1>
      <p>${state.loginChannel.name} ขอเข้าถึงข้อมูลของคุณ · หน้านี้เป็น LINE จำลอง</p>
      <form method="post" action="/__emu/login/decide">
        <input type="hidden" name="request" value="${requestId}" />
        <fieldset>
          <legend>เลือกบัญชี</legend>
          ${users.map((user, index) => renderUserChoice(user, index === 0))}
        </fieldset>
        <ul aria-label="สิทธิ์ที่ขอ">
          ${request.scope.map(scope => html`<li>${scopeNames[scope] ?? scope}</li>`)}
        </ul>
        ${
          request.botPrompt === 'off'
            ? ''
            : html`<label>
                <input type="checkbox" name="addFriend" ${request.botPrompt === 'aggressive' ? 'checked' : ''} />
                <span>เพิ่ม ${state.officialAccount.displayName} เป็นเพื่อน</span>
              </label>`
        }
        <button class="allow" name="decision" value="allow">อนุญาต</button>
        <button class="deny" name="decision" value="deny">ไม่อนุญาต</button>
      </form>`,
  )
}

function renderUserChoice(user: User, checked: boolean) {
  return html`<label>
    <img src="${getPicturePath(user)}" alt="" />
    <span>${user.displayName}<small>${isFriend(user) ? 'เป็นเพื่อนแล้ว' : 'ยังไม่เป็นเพื่อน'}</small></span>
    <input type="radio" name="userId" value="${user.userId}" ${checked ? 'checked' : ''} required />
  </label>`
}

/** Shows the page of `https://line.me/R/ti/p/<basic id>`: the account, and a choice of the user who adds it. */
export function renderAddFriendPage(state: State, addedName?: string) {
  const { displayName, basicId } = state.officialAccount
  const users = [...state.users.values()]
  const firstStranger = users.find(user => !isFriend(user)) ?? users[0]
  return renderPage(
    `เพิ่มเพื่อน ${displayName} · LINE (จำลอง)`,
    html`<h1>${displayName}</h1>
      <p role="status">${addedName ? `${addedName} เป็นเพื่อนกับร้านแล้ว` : `${basicId} · หน้านี้เป็น LINE จำลอง`}</p>
      <form method="post">
        <fieldset>
          <legend>เพิ่มเพื่อนจากบัญชี</legend>
          ${users.map(user => renderUserChoice(user, user === firstStranger))}
        </fieldset>
        <button class="allow">เพิ่มเพื่อน</button>
      </form>`,
  )
}

/** Shows LINE's own error page, for requests that LINE can't answer with a redirect. */
export function renderErrorPage(reason: string) {
  return renderPage(
    'เกิดข้อผิดพลาด · LINE (จำลอง)',
    html`<h1>400 Bad Request</h1>
      <p>${reason}</p>`,
  )
}
