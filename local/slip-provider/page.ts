import { randomInt } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { formatBaht, parseBaht, toDecimalText } from '@shop/shared/money.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { drawSlip } from '../demo-slip.ts'
import { fontStyle, readFont } from '../page-font.ts'
import { type Account, FAULT, FAULTS, type Fault, type Register } from './register.ts'

/** Finds what can be paid at the stand-in's page. */
export interface Counter {
  listAccounts(): Promise<(Account & { id: number })[]>
  /** Orders that wait for their transfer. */
  listWaiting(): Promise<{ no: string; amountSatang: number; accountId: number }[]>
}

const SENDING_BANK = '014'
const PAYER = { accountNo: '5551112222', name: 'นาย ทดลอง โ.' }

/** Returns a reference in this bank's form: the day, then letters and digits. */
function newReference(now: Date): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
  const random = Array.from({ length: 17 }, () => letters[randomInt(letters.length)])
  return bangkokDay(now).replaceAll('-', '') + random.join('')
}

/** Serves the page where money is "sent": it adds the transfer to the register and returns a picture of its slip. */
export function openCounter(counter: Counter, register: Register, now: () => Date) {
  async function transfer(form: URLSearchParams): Promise<Buffer | null> {
    const receiver = (await counter.listAccounts()).find(({ id }) => id === Number(form.get('account')))
    const amountSatang = parseBaht(form.get('amount') ?? '')
    if (!receiver || !amountSatang) return null
    const reference = newReference(now())
    const faults = FAULTS.filter(fault => fault === form.get('fault'))
    register.add({ sendingBank: SENDING_BANK, reference, amountSatang, at: now(), receiver, payer: PAYER }, faults)
    return drawSlip(SENDING_BANK, reference)
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === 'POST' && request.url === '/transfer') {
      let text = ''
      for await (const chunk of request) text += String(chunk)
      const picture = await transfer(new URLSearchParams(text))
      if (!picture) return void response.writeHead(400, { 'content-type': 'text/plain' }).end('account and amount')
      const headers = { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename="slip.jpg"' }
      return void response.writeHead(200, headers).end(picture)
    }
    const font = await readFont(request.url?.split('/__emu/fonts/')[1] ?? '')
    if (font) return void response.writeHead(200, { 'content-type': 'font/woff2' }).end(font)
    if (request.url !== '/') return void response.writeHead(404).end()
    const [accounts, waiting] = await Promise.all([counter.listAccounts(), counter.listWaiting()])
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(accounts, waiting, register))
  }
}

const escaped = (text: string) => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

const accountText = ({ bankCode, accountNo, name }: Account) =>
  escaped(`${bankOf(bankCode).niceName} ${accountNo} ${name}`)

const faultSelect = (label: string) => `<select name="fault" aria-label="${escaped(label)}">
  <option value="">โอนปกติ</option>${FAULTS.map((fault: Fault) => `<option value="${fault}">${FAULT[fault]}</option>`).join('')}</select>`

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

function pageOf(accounts: (Account & { id: number })[], waiting: Waiting[], { journal }: Register): string {
  const asked = journal.slice(-20).reverse()
  return `<!doctype html><html lang="th"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>ธนาคารจำลอง</title>
<style>${fontStyle} body{margin:0 auto;max-width:760px;padding:24px 16px;background:#f5f6f8;color:#151922;font:15px/1.6 "Noto Sans Thai Looped Variable",Thonburi,"Leelawadee UI","Noto Sans Thai",system-ui,sans-serif}
h1{font-size:22px;margin:0}h2{font-size:17px;margin:0 0 8px}section{background:#fff;border:1px solid #e4e7ed;border-radius:16px;padding:16px;margin-top:16px}
ul{list-style:none;margin:0;padding:0}li+li{border-top:1px solid #e4e7ed}form{display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding:10px 0}
p{margin:0;flex:1 1 220px}small{display:block;color:#4b5263;overflow-wrap:anywhere}select,input,button{font:inherit;min-height:44px;border-radius:12px;border:1px solid #868ea0;padding:0 12px;background:#fff;max-width:100%}
button{background:#2347c5;border-color:#2347c5;color:#fff;font-weight:600;cursor:pointer}:focus-visible{outline:2px solid #2347c5;outline-offset:2px}</style>
<h1>ธนาคารจำลอง</h1><small>โอนเงินแล้วได้รูปสลิปจริงสำหรับร้านทดลอง ร้านจะถามผู้ตรวจสลิปจำลองนี้เอง</small>
<section><h2>คำสั่งซื้อที่รอโอน</h2>${waiting.length ? `<ul>${waiting.map(waitingRow(accounts)).join('')}</ul>` : '<p>ยังไม่มีคำสั่งซื้อที่รอโอน สั่งซื้อที่ร้านแล้วโหลดหน้านี้ใหม่</p>'}</section>
<section><h2>โอนยอดอื่น</h2><form method="post" action="/transfer"><select name="account" aria-label="บัญชีผู้รับ">${accounts.map(account => `<option value="${account.id}">${accountText(account)}</option>`).join('')}</select>
<input name="amount" aria-label="ยอดเงิน (บาท)" placeholder="ยอดเงิน (บาท)" inputmode="decimal" required>${faultSelect('สถานการณ์')}<button>โอนเงินและรับสลิป</button></form></section>
<section><h2>คำถามล่าสุดจากร้าน</h2>${asked.length ? `<ul>${asked.map(({ provider, at, fault, status }) => `<li><small>${at.slice(11, 19)}Z · ${provider} · ${status ?? 'ไม่ตอบ'}${fault ? ` · ${FAULT[fault]}` : ''}</small></li>`).join('')}</ul>` : '<p>ยังไม่มี</p>'}</section></html>`
}
