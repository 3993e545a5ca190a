import { formatBaht } from '@shop/shared/money.ts'
import { type GatewayName, gatewayLabel } from '@shop/shared/provider-names.ts'
import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import { fontStyle } from '../page-font.ts'
import {
  type Charge,
  FAULTS,
  type Fault,
  MESSAGE_FAULTS,
  type MessageFault,
  PAYMENT_FAULTS,
  type PaymentFault,
  type Register,
} from './register.ts'

const FAULT_NAME: Record<Fault, string> = {
  key: 'คีย์ถูกปฏิเสธ (401)',
  tooMany: 'ถามบ่อยเกินไป (429)',
  broken: 'ระบบขัดข้อง (500)',
  lost: 'ทำแล้วแต่คำตอบหาย',
  slow: 'ตอบช้า',
  hang: 'ไม่ตอบ 30 วินาที',
  halfList: 'รายการไม่ครบ',
}
const MESSAGE_FAULT_NAME: Record<MessageFault, string> = {
  never: 'ไม่แจ้งร้าน',
  late: 'แจ้งช้า 20 วินาที',
  twice: 'แจ้งสองครั้ง',
  forged: 'ลายเซ็นปลอม',
  old: 'ข้อความเก่า',
  early: 'แจ้งก่อนเงินเข้า',
}
const PAYMENT_FAULT_NAME: Record<PaymentFault, string> = {
  amount: 'ยอดไม่ตรง ขาดหนึ่งบาท',
  currency: 'สกุลเงินไม่ตรง (USD)',
  mode: 'โหมดไม่ตรง (เงินจริงกับทดสอบ)',
}
const STATUS: Record<Charge['status'], string> = {
  pending: 'รอชำระ',
  successful: 'ชำระแล้ว',
  failed: 'ไม่สำเร็จ',
  expired: 'หมดเวลา',
}

const escaped = (text: string) => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

const shell = (title: string, content: string) => `<!doctype html><html lang="th"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${fontStyle} body{margin:0 auto;max-width:760px;padding:24px 16px;background:#f5f6f8;color:#151922;font:15px/1.6 "Noto Sans Thai Looped Variable",Thonburi,"Leelawadee UI","Noto Sans Thai",system-ui,sans-serif}
h1{font-size:22px;margin:0}h2{font-size:17px;margin:0 0 8px}section{background:#fff;border:1px solid #e4e7ed;border-radius:16px;padding:16px;margin-top:16px}
ul{list-style:none;margin:0;padding:0}li+li{border-top:1px solid #e4e7ed}li,form{display:flex;flex-wrap:wrap;gap:8px;align-items:center;padding:8px 0}p{margin:0;flex:1 1 220px}small{display:block;color:#4b5263;overflow-wrap:anywhere}
select,button{font:inherit;min-height:44px;border-radius:12px;border:1px solid #868ea0;padding:0 12px;background:#fff;max-width:100%}button.pay{background:#2347c5;border-color:#2347c5;color:#fff;font-weight:600;cursor:pointer}:focus-visible{outline:2px solid #2347c5;outline-offset:2px}</style>
${content}</html>`

const act = (charge: Charge, way: 'pay' | 'fail', label: string, back: string) =>
  `<form method="post" action="/act/${way}/${charge.id}"><input type="hidden" name="back" value="${escaped(back)}">
  <button class="${way}" aria-label="${label} ${escaped(charge.description)}">${label}</button></form>`

const row = (charge: Charge) => `<li><p><b>${formatBaht(charge.amountSatang)} บาท</b>
  <small>${escaped(charge.description)} · ${escaped(charge.method)} · ${STATUS[charge.status]} · ${formatDateTimeSeconds(charge.createdAt).slice(11)}</small></p>
  ${charge.status === 'successful' ? '' : act(charge, 'pay', 'จ่าย', '/')}${charge.status === 'pending' ? act(charge, 'fail', 'ปฏิเสธ', '/') : ''}</li>`

const options = (names: readonly string[], labels: Record<string, string>) =>
  names.map(name => `<option value="${name}">${labels[name]}</option>`).join('')

/** The page on which charges are paid as in a bank's app, and faults are chosen. */
export function booksPage(name: GatewayName, register: Register): string {
  const charges = [...register.charges.keys()]
    .map(id => register.find(id)!)
    .reverse()
    .slice(0, 30)
  const waiting = [
    ...register.faults.map(fault => FAULT_NAME[fault]),
    ...register.messageFaults.map(fault => MESSAGE_FAULT_NAME[fault]),
    ...register.paymentFaults.map(fault => PAYMENT_FAULT_NAME[fault]),
  ]
  return shell(
    'ผู้ให้บริการรับชำระจำลอง',
    `<h1>ผู้ให้บริการรับชำระจำลอง ${gatewayLabel(name)}</h1><small>จ่าย QR ของร้านทดลองที่นี่ แทนแอปธนาคาร ร้านรู้เองทันที</small>
<section><h2>รายการชำระ</h2>${charges.length ? `<ul>${charges.map(row).join('')}</ul>` : '<p>ยังไม่มี สั่งซื้อด้วยพร้อมเพย์ QR ที่ร้านแล้วโหลดหน้านี้ใหม่</p>'}</section>
<section><h2>ให้เกิดปัญหาครั้งถัดไป</h2>
<form method="post" action="/__emu/fault"><select name="fault" aria-label="ปัญหาของคำตอบ">${options(FAULTS, FAULT_NAME)}</select><button>ใช้กับคำถามถัดไปจากร้าน</button></form>
<form method="post" action="/__emu/fault"><select name="message" aria-label="ปัญหาของการแจ้งร้าน">${options(MESSAGE_FAULTS, MESSAGE_FAULT_NAME)}</select><button>ใช้กับการแจ้งครั้งถัดไป</button></form>
<form method="post" action="/__emu/fault"><select name="payment" aria-label="ปัญหาของการจ่าย">${options(PAYMENT_FAULTS, PAYMENT_FAULT_NAME)}</select><button>ใช้กับการจ่ายครั้งถัดไป</button></form>
<small>รอใช้: ${waiting.join(', ') || 'ไม่มี'}</small></section>`,
  )
}

/** The page of a wallet's app on which a buyer says yes or no, and is then sent back to the shop. */
export const appPage = (charge: Charge): string =>
  shell(
    'จ่ายเงิน (จำลอง)',
    `<h1>${escaped(charge.method)} จำลอง</h1><section><h2>${formatBaht(charge.amountSatang)} บาท</h2>
<small>${escaped(charge.description)} · ${STATUS[charge.status]}</small>
${act(charge, 'pay', 'จ่าย', charge.returnUrl ?? '/')}${act(charge, 'fail', 'ปฏิเสธ', charge.returnUrl ?? '/')}</section>`,
  )
