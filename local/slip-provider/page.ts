import { randomInt } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { formatBaht, toDecimalText } from '@shop/shared/money.ts'
import { bangkokDay, formatDateTimeSeconds } from '@shop/shared/time.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import { DEMO_PAYER, drawSlip } from '../demo-slip.ts'
import { fontStyle, readFont } from '../page-font.ts'
import { type Account, FAULT, FAULT_GROUPS, FAULTS, type Fault, type Register } from './register.ts'

/** Finds what can be paid at the stand-in's page. */
export interface Counter {
  listAccounts(): Promise<(Account & { id: number })[]>
  /** Orders that wait for their transfer. */
  listWaiting(): Promise<{ no: string; amountSatang: number; accountId: number }[]>
}

const SENDING_BANK = '014'

/** Returns a reference in this bank's form: the day, then letters and digits. */
function newReference(now: Date): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
  const random = Array.from({ length: 17 }, () => letters[randomInt(letters.length)])
  return bangkokDay(now).replaceAll('-', '') + random.join('')
}

/** A transfer that was made here. */
interface Made {
  file: string
  picture: Buffer
  amountSatang: number
  /** What goes wrong when the shop asks about it. */
  fault: Fault | null
}

/** Serves the page where money is "sent": it adds the transfer to the register and hands out a picture of its slip. */
export function openCounter(counter: Counter, register: Register, now: () => Date) {
  const made = new Map<string, Made>()
  async function transfer(form: URLSearchParams): Promise<string | null> {
    const receiver = (await counter.listAccounts()).find(({ id }) => id === Number(form.get('account')))
    const amountSatang = parseBaht(form.get('amount') ?? '')
    if (!receiver || !amountSatang) return null
    const reference = newReference(now())
    const fault = FAULTS.find(each => each === form.get('fault')) ?? null
    const sent = { amountSatang, at: now(), receiver, payer: DEMO_PAYER }
    register.add({ sendingBank: SENDING_BANK, reference, ...sent }, fault ? [fault] : [])
    const picture = await drawSlip(SENDING_BANK, reference, sent)
    made.set(reference, { file: `slip-${toDecimalText(amountSatang)}.jpg`, picture, amountSatang, fault })
    return reference
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand.in')
    if (request.method === 'POST' && pathname === '/transfer') {
      const reference = await transfer(new URLSearchParams(await readText(request)))
      if (!reference) return void response.writeHead(400, { 'content-type': 'text/plain' }).end('account and amount')
      return void response.writeHead(303, { location: `/?made=${reference}` }).end()
    }
    const slip = made.get(pathname.split('/slip/')[1] ?? '')
    if (slip) {
      const kept = searchParams.has('look') ? 'inline' : `attachment; filename="${slip.file}"`
      const headers = { 'content-type': 'image/jpeg', 'content-disposition': kept }
      return void response.writeHead(200, headers).end(slip.picture)
    }
    const font = await readFont(pathname.split('/__emu/fonts/')[1] ?? '')
    if (font) return void response.writeHead(200, { 'content-type': 'font/woff2' }).end(font)
    if (pathname !== '/') return void response.writeHead(404).end()
    const [accounts, waiting] = await Promise.all([counter.listAccounts(), counter.listWaiting()])
    const reference = searchParams.get('made') ?? ''
    const page = pageOf(accounts, waiting, { register, told: madeNote(reference, made.get(reference)) })
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** Says what was done and what comes next; the browser then fetches the picture by itself, and the page stays. */
function madeNote(reference: string, made: Made | undefined): string {
  if (!made) return ''
  const { file, amountSatang, fault } = made
  const told = fault ? `ร้านจะได้คำตอบ: ${FAULT[fault]}` : 'ร้านถามธนาคารแล้วจะรู้เองภายในไม่กี่วินาที'
  return `<meta http-equiv="refresh" content="0;url=/slip/${reference}">
<section class="made" role="status"><img src="/slip/${reference}?look" alt="สลิปยอด ${formatBaht(amountSatang)} บาท">
<div><h2>โอน ${formatBaht(amountSatang)} บาทแล้ว</h2><p>รูปสลิป <b>${file}</b> อยู่ในโฟลเดอร์ดาวน์โหลดของเบราว์เซอร์</p>
<p>ต่อไป: กลับไปหน้าชำระเงินของร้าน แนบรูปนี้ แล้วกด “โอนแล้ว แจ้งชำระเงิน” ${told}</p>
<p><a href="/slip/${reference}">ดาวน์โหลดสลิปอีกครั้ง</a></p></div></section>`
}

const escaped = (text: string) => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

const accountText = ({ bankCode, accountNo, name }: Account) =>
  escaped(`${bankOf(bankCode).niceName} ${accountNo} ${name}`)

const faultOptions = Object.entries(FAULT_GROUPS)
  .map(([group, faults]) => {
    const options = Object.entries(faults).map(([fault, name]) => `<option value="${fault}">${name}</option>`)
    return `<optgroup label="${group}">${options.join('')}</optgroup>`
  })
  .join('')

const faultSelect = (label: string) => `<select name="fault" aria-label="${escaped(label)}">
  <option value="">โอนปกติ</option>${faultOptions}</select>`

type Waiting = Awaited<ReturnType<Counter['listWaiting']>>[number]

function waitingRow(accounts: readonly (Account & { id: number })[]) {
  return ({ no, amountSatang, accountId }: Waiting) => {
    const account = accounts.find(({ id }) => id === accountId)
    return `<li><form method="post" action="/transfer"><input type="hidden" name="account" value="${accountId}">
      <input type="hidden" name="amount" value="${toDecimalText(amountSatang)}">
      <p><b>${formatBaht(amountSatang)} บาท</b><small>${escaped(no)} · ${account ? accountText(account) : ''}</small></p>
      ${faultSelect(`สถานการณ์ของ ${no}`)}<button aria-label="โอนให้ ${escaped(no)}">โอนเงินและรับสลิป</button></form></li>`
  }
}

function pageOf(
  accounts: (Account & { id: number })[],
  waiting: Waiting[],
  { register, told }: { register: Register; told: string },
): string {
  const asked = register.journal.slice(-20).reverse()
  return `<!doctype html><html lang="th"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>ธนาคารจำลอง</title>
<style>${fontStyle} body{margin:0 auto;max-width:760px;padding:24px 16px;background:#f5f6f8;color:#151922;font:15px/1.6 "Noto Sans Thai Looped Variable",Thonburi,"Leelawadee UI","Noto Sans Thai",system-ui,sans-serif}
h1{font-size:22px;margin:0}h2{font-size:17px;margin:0 0 8px}section{background:#fff;border:1px solid #e4e7ed;border-radius:16px;padding:16px;margin-top:16px}
ul{list-style:none;margin:0;padding:0}li+li{border-top:1px solid #e4e7ed}form{display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding:10px 0}
.made{display:flex;gap:16px;align-items:flex-start;border-color:#0b6e3f}.made img{width:132px;border:1px solid #e4e7ed;border-radius:12px}.made p+p{margin-top:8px}a{color:#2347c5}p{margin:0;flex:1 1 220px}small{display:block;color:#4b5263;overflow-wrap:anywhere}select,input,button{font:inherit;min-height:44px;border-radius:12px;border:1px solid #868ea0;padding:0 12px;background:#fff;max-width:100%}
button{background:#2347c5;border-color:#2347c5;color:#fff;font-weight:600;cursor:pointer}:focus-visible{outline:2px solid #2347c5;outline-offset:2px}</style>
<h1>ธนาคารจำลอง</h1><small>โอนเงินแล้วได้รูปสลิปจริงสำหรับร้านทดลอง ร้านจะถามผู้ตรวจสลิปจำลองนี้เอง</small>
${told}
<section><h2>คำสั่งซื้อที่รอโอน</h2>${waiting.length ? `<ul>${waiting.map(waitingRow(accounts)).join('')}</ul>` : '<p>ยังไม่มีคำสั่งซื้อที่รอโอน สั่งซื้อที่ร้านแล้วโหลดหน้านี้ใหม่</p>'}</section>
<section><h2>โอนยอดอื่น</h2><form method="post" action="/transfer"><select name="account" aria-label="บัญชีผู้รับ">${accounts.map(account => `<option value="${account.id}">${accountText(account)}</option>`).join('')}</select>
<input name="amount" aria-label="ยอดเงิน (บาท)" placeholder="ยอดเงิน (บาท)" inputmode="decimal" required>${faultSelect('สถานการณ์')}<button>โอนเงินและรับสลิป</button></form></section>
<section><h2>คำถามล่าสุดจากร้าน</h2>${asked.length ? `<ul>${asked.map(({ provider, at, fault, status }) => `<li><small>${formatDateTimeSeconds(at).slice(11)} · ${provider} · ${status ?? 'ไม่ตอบ'}${fault ? ` · ${FAULT[fault]}` : ''}</small></li>`).join('')}</ul>` : '<p>ยังไม่มี</p>'}</section></html>`
}
