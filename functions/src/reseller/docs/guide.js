import { filterOperations, matches } from './search.js'

const $ = selector => document.querySelector(selector)
const all = (selector, within = document) => [...within.querySelectorAll(selector)]

/** What this script says, in the language of the page. */
const words = {
  en: {
    copy: 'Copy',
    copied: 'Copied',
    press: 'Press Ctrl+C',
    live: 'This is a live key: use a test key here',
    again: 'Load again',
    failed: 'The calls could not be loaded. ',
  },
  th: {
    copy: 'คัดลอก',
    copied: 'คัดลอกแล้ว',
    press: 'กด Ctrl+C',
    live: 'คีย์นี้ใช้จริง ที่นี่ใช้ได้เฉพาะคีย์ทดสอบ',
    again: 'โหลดอีกครั้ง',
    failed: 'โหลดคำสั่งไม่สำเร็จ ',
  },
}[document.documentElement.lang]

// ── Copy buttons ──
for (const button of all('.copy')) {
  button.addEventListener('click', async () => {
    const code = button.parentElement.querySelector('code')
    try {
      await navigator.clipboard.writeText(code.textContent)
      button.textContent = words.copied
    } catch {
      // A page without TLS may not write there: the text is marked, and the reader presses the keys.
      getSelection().selectAllChildren(code)
      button.textContent = words.press
    }
    setTimeout(() => {
      button.textContent = words.copy
    }, 2000)
  })
}

// ── Tabs ──
function choose(tabs, chosen) {
  for (const tab of all('[role=tab]', tabs)) {
    const isChosen = tab === chosen
    tab.setAttribute('aria-selected', String(isChosen))
    tab.tabIndex = isChosen ? 0 : -1
    document.getElementById(tab.getAttribute('aria-controls')).hidden = !isChosen
  }
}
for (const tabs of all('.tabs')) {
  const buttons = all('[role=tab]', tabs)
  choose(tabs, buttons[0])
  for (const [at, button] of buttons.entries()) {
    button.addEventListener('click', () => choose(tabs, button))
    button.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
      if (!step) return
      const next = buttons[(at + step + buttons.length) % buttons.length]
      choose(tabs, next)
      next.focus()
    })
  }
}

// ── Contents on a phone ──
const menu = $('#menu')
const show = isOpen => {
  menu.setAttribute('aria-expanded', String(isOpen))
  document.body.classList.toggle('contents-open', isOpen)
}
menu.addEventListener('click', () => show(menu.getAttribute('aria-expanded') !== 'true'))
$('#contents').addEventListener('click', ({ target }) => target.closest('a') && show(false))
document.addEventListener('keydown', ({ key }) => key === 'Escape' && show(false))

// ── Reference ──
const plugin = () => ({
  fn: { opsFilter: filterOperations },
  // The page has one search for all of it.
  wrapComponents: { FilterContainer: () => () => null },
})

let reference
async function openReference() {
  const reply = await fetch('/reseller/openapi.json')
  if (!reply.ok) throw new Error(String(reply.status))
  const spec = await reply.json()
  return new Promise(resolve => {
    const ui = SwaggerUIBundle({
      // Calls go where the page came from.
      spec: { ...spec, servers: [{ url: location.origin }] },
      dom_id: '#calls',
      plugins: [plugin],
      docExpansion: 'list',
      defaultModelsExpandDepth: -1,
      tryItOutEnabled: true,
      persistAuthorization: false,
      validatorUrl: null,
      requestInterceptor(request) {
        const key = request.headers?.Authorization ?? ''
        if (/^Bearer\s+rk_live_/.test(key)) throw new Error(words.live)
        return request
      },
      onComplete: () => resolve(ui),
    })
  })
}

/** Opens the call that the address names: #/Tag/operationId. */
async function openCall() {
  const [, tag, id] = /^#\/([^/]+)\/(.+)$/.exec(location.hash) ?? []
  if (!tag || !reference) return
  reference.layoutActions.show(['operations-tag', tag], true)
  reference.layoutActions.show(['operations', tag, id], true)
  // It is drawn a moment later.
  for (let frame = 0; frame < 120; frame++) {
    const call = document.getElementById(`operations-${tag}-${id}`)
    if (call?.classList.contains('is-open')) return call.scrollIntoView()
    await new Promise(requestAnimationFrame)
  }
}
addEventListener('hashchange', openCall)

// ── Search ──
const find = $('#find')
const sections = all('main > section:not(#reference)')
const links = all('#contents li')
/** What people look for is not in the programs, which have all words. */
const texts = new Map(
  sections.map(section => {
    const copy = section.cloneNode(true)
    for (const program of all('.tabs', copy)) program.remove()
    return [section, copy.textContent]
  }),
)

/** Marks the words of a phrase, where the browser can. */
function mark(phrase) {
  if (!CSS.highlights) return
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean)
  const ranges = []
  for (const section of words.length > 0 ? sections.filter(each => !each.hidden) : []) {
    const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.toLowerCase()
      for (const word of words)
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = new Range()
          range.setStart(node, at)
          range.setEnd(node, at + word.length)
          ranges.push(range)
        }
    }
  }
  CSS.highlights.set('found', new Highlight(...ranges))
}

/** In a table that has the words, only the rows that have them are shown. */
function narrow(section, phrase) {
  for (const table of all('table', section)) {
    const rows = all('tbody tr', table)
    const fitting = phrase ? rows.filter(row => matches(phrase, row.textContent)) : rows
    for (const row of rows) row.hidden = fitting.length > 0 && !fitting.includes(row)
  }
}

/** Swagger UI does not filter what the shop sends. Returns how many events are shown. */
function narrowEvents(phrase) {
  const events = all('.webhooks .opblock')
  for (const event of events) event.hidden = !matches(phrase, `webhooks ${event.textContent}`)
  const shown = events.filter(event => !event.hidden).length
  const group = $('.webhooks')
  if (group) group.hidden = shown === 0
  return shown
}

function search() {
  const phrase = find.value.trim()
  const shown = sections.filter(section => {
    section.hidden = !matches(phrase, texts.get(section))
    narrow(section, phrase)
    return !section.hidden
  })
  let calls = 0
  for (const link of links) {
    const { find: words } = link.dataset
    const target = words === undefined && $(link.firstElementChild.getAttribute('href'))
    link.hidden = target ? target.hidden : !matches(phrase, words)
    if (!target && !link.hidden) calls += 1
  }
  for (const group of all('#contents .group')) group.hidden = !all('li', group).some(link => !link.hidden)
  calls += narrowEvents(phrase)
  $('#top').hidden = phrase !== ''
  $('#reference').hidden = calls === 0
  $('#nothing').hidden = shown.length + calls > 0
  $('#found').textContent = phrase ? `Guide: ${shown.length} · Calls: ${calls}` : ''
  mark(phrase)
  reference?.layoutActions.updateFilter(phrase)
}

find.addEventListener('input', () => {
  search()
  scrollTo({ top: 0 })
})
$('.search').addEventListener('submit', event => {
  event.preventDefault()
  const first = links.find(link => !link.hidden)
  first?.querySelector('a').click()
})
// What is looked for by a link must be there to be gone to.
$('main').addEventListener('click', ({ target }) => {
  if (!target.closest('a[href^="#"]') || find.value === '') return
  find.value = ''
  search()
})
document.addEventListener('keydown', event => {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  find.focus()
})

try {
  reference = await openReference()
  search()
  openCall()
} catch {
  const again = document.createElement('button')
  again.textContent = words.again
  again.type = 'button'
  again.addEventListener('click', () => location.reload())
  $('#calls').replaceChildren(words.failed, again)
}
