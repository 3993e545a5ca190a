export const chatStyle = `
  .menu { position:relative; line-height:0; border-top:1px solid #d4d6da }
  .menu img { width:100% }
  .sr-only { position:absolute; width:1px; height:1px; overflow:hidden; clip-path:inset(50%) }

:root { color-scheme:light; --accent:#2347c5; --ink:#151922; --ink-2:#4b5263; --line:#e4e7ed; --canvas:#f5f6f8; --chat:#8fa9cf; --green:#06c755 }
* { box-sizing:border-box }
body { margin:0; background:var(--canvas); color:var(--ink); overflow-wrap:break-word;
  font:15px/1.6 "Noto Sans Thai Looped Variable",Thonburi,"Leelawadee UI","Noto Sans Thai",system-ui,sans-serif }
header { padding:20px 24px 8px; max-width:1320px; margin:auto }
h1 { margin:0; font-size:22px; line-height:1.45 } header p { margin:0; color:var(--ink-2) }
h2 { margin:0 0 8px; font-size:17px; line-height:1.5 }
main { display:grid; grid-template-columns:minmax(270px,320px) minmax(320px,440px) minmax(320px,440px); gap:24px; padding:16px 24px 32px; max-width:1320px; margin:auto; align-items:start }
@media (max-width:1060px) { main { grid-template-columns:repeat(auto-fit,minmax(min(100%,330px),1fr)); padding:16px } }
.card { background:#fff; border:1px solid var(--line); border-radius:16px; padding:16px; margin-bottom:16px }
.people { list-style:none; margin:0; padding:0; display:grid; gap:16px }
.people li + li { border-top:1px solid var(--line); padding-top:16px }
.person { display:flex; align-items:center; gap:12px; color:inherit; text-decoration:none; min-height:44px; border-radius:12px }
.person img { width:44px; height:44px; border-radius:50% } .person b { display:block; line-height:1.45 }
.person small { color:var(--ink-2); font-size:13px }
.person[aria-current] b { color:var(--accent) }
.buttons { display:flex; gap:8px; margin-top:8px }
.button { display:inline-flex; align-items:center; justify-content:center; min-height:44px; padding:6px 14px; border-radius:12px; border:1px solid #868ea0;
  background:#fff; color:var(--ink); font:inherit; font-weight:600; text-decoration:none; cursor:pointer }
.button:hover { background:var(--canvas) } .button.primary { background:var(--accent); border-color:var(--accent); color:#fff; flex:1 }
.button.primary:hover { background:#1b389e }
:focus-visible { outline:2px solid var(--accent); outline-offset:2px }
.log { list-style:none; margin:0; padding:0; font-size:13px; color:var(--ink-2); display:grid; gap:4px }
.log b { color:var(--ink); font-weight:600 } .log .bad b { color:#b4231a }
.phone { background:#fff; border:1px solid #c3c9d6; border-radius:24px; overflow:hidden; display:flex; flex-direction:column; height:min(760px,calc(100vh - 165px)); min-height:520px }
.phone-head { display:flex; align-items:center; gap:8px; padding:12px 20px; border-bottom:1px solid var(--line); min-height:60px }
.phone-head b { flex:1 1 0; min-width:0; font-size:17px; overflow:hidden; text-overflow:ellipsis; white-space:nowrap } .phone-head select { min-width:0; max-width:50%; text-overflow:ellipsis; font:inherit; min-height:44px; border-radius:12px; border:1px solid #868ea0; padding:0 8px; background:#fff }
.chat { flex:1; overflow-y:auto; background:var(--chat); padding:16px; display:flex; flex-direction:column; gap:12px }
.empty { margin:auto; color:#fff; text-align:center; background:rgb(21 25 34/.5); border-radius:12px; padding:6px 14px }
.entry { display:flex; gap:8px; align-items:flex-end } .entry.mine { justify-content:flex-end }
.entry > img { width:36px; height:36px; border-radius:50%; align-self:flex-start; flex:none }
.entry .who { font-size:13px; color:#1f2a44; line-height:1.4; margin-bottom:2px } .entry > div { min-width:0; max-width:100% }
.entry time { font-size:12px; color:#24344f; flex:none }
.words { background:#fff; border-radius:18px; padding:8px 14px; white-space:pre-wrap; max-width:260px } .mine .words { background:#a7ee83 }
.notice { align-self:center; background:rgb(21 25 34/.5); color:#fff; border-radius:12px; padding:2px 12px; font-size:13px }
.flex-row { display:flex; gap:8px; overflow-x:auto; max-width:100%; align-items:flex-start }
.bubble { background:#fff; border-radius:17px; overflow:hidden; flex:none; max-width:100%; line-height:1.45 }
.bubble a { color:inherit; text-decoration:none } .icon { vertical-align:baseline }
.plain { border:0; background:none; padding:0; font:inherit; text-align:inherit; color:inherit; cursor:pointer }
.bubble .flex-button, .flex-button { display:flex; align-items:center; justify-content:center; width:100%; border-radius:8px; font-size:16px; padding:4px 12px; text-align:center }
.bubble .primary { background:#17c950; color:#fff; font-weight:600 } .bubble .secondary { background:#dcdfe5; color:#111; font-weight:600 } .bubble .link { color:#42659a }
.quick { display:flex; gap:8px; flex-wrap:wrap; justify-content:center } .quick .plain, .quick a { background:#fff; border-radius:20px; padding:8px 14px; min-height:40px; color:var(--ink); text-decoration:none }
.composer { display:flex; gap:8px; padding:10px; border-top:1px solid var(--line); }
.composer input { flex:1; min-width:0; font:inherit; font-size:16px; min-height:44px; border:1px solid #868ea0; border-radius:12px; padding:0 12px }
@media (max-width:480px) { .chat { padding:12px 8px } .entry:not(.mine) { display:grid; grid-template-columns:36px minmax(0,1fr); row-gap:2px; justify-items:start } .entry:not(.mine) time { grid-column:2 } }
[hidden] { display:none !important }
`

/** The script of the chat view. It reloads the parts that have changed, and carries out what people press. */
export const chatScript = `
const post = (path, body) => fetch('/__emu' + path, { method: 'POST', body: JSON.stringify(body) })
const etags = new Map()
async function refresh() {
  for (const part of document.querySelectorAll('[data-fragment]')) {
    const url = part.dataset.fragment
    const answer = await fetch(url, { headers: { 'if-none-match': etags.get(url) ?? '' } }).catch(() => undefined)
    if (!answer || answer.status !== 200) continue
    const isAtEnd = part.scrollTop + part.clientHeight >= part.scrollHeight - 40
    etags.set(url, answer.headers.get('etag'))
    part.innerHTML = await answer.text()
    if (isAtEnd) part.scrollTop = part.scrollHeight
  }
}
const openPath = '/__emu/open?'
const getSpeaker = phone => phone.querySelector('select')?.value ?? phone.dataset.user
document.addEventListener('click', async event => {
  const link = event.target.closest('.phone a')
  const href = link?.getAttribute('href') ?? ''
  if (href.startsWith(openPath)) {
    const query = new URLSearchParams(href.slice(openPath.length))
    query.set('userId', getSpeaker(link.closest('.phone')))
    link.href = openPath + query
  }
  const command = event.target.closest('[data-command]')
  if (command) await post(command.dataset.command, { userId: command.dataset.user })
  const pressed = event.target.closest('[data-action]')
  if (pressed) {
    const action = JSON.parse(pressed.dataset.action)
    const phone = pressed.closest('.phone')
    const where = { userId: getSpeaker(phone), chatId: phone.dataset.chat }
    if (action.inputOption === 'openKeyboard') {
      const input = phone.querySelector('.composer input')
      input.value = action.fillInText ?? ''
      input.focus()
    }
    if (action.type === 'postback') await post('/postback', { ...where, data: action.data, displayText: action.displayText })
    if (action.type === 'message') await post('/text', { ...where, text: action.text })
  }
  if (command || pressed) refresh()
})
document.addEventListener('submit', async event => {
  event.preventDefault()
  const phone = event.target.closest('.phone')
  const input = event.target.elements.text
  const text = input.value.trim()
  if (!text) return
  input.value = ''
  await post('/text', { userId: getSpeaker(phone), chatId: phone.dataset.chat, text })
  refresh()
})
for (const chat of document.querySelectorAll('.chat')) chat.scrollTop = chat.scrollHeight
setInterval(refresh, 1500)
`
