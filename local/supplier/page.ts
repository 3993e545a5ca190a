import type { ServerResponse } from 'node:http'
import { formatBaht } from '@shop/shared/money.ts'
import { type SupplierName, supplierLabel } from '@shop/shared/provider-names.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import { type Fault, faultLabel, faultsOf } from './faults.ts'
import type { Progress, Register } from './register.ts'

const PROGRESS: Record<Progress, string> = {
  waiting: 'รอส่ง',
  sending: 'กำลังส่ง',
  delivered: 'ส่งแล้ว',
  failed: 'ไม่สำเร็จ',
  refunded: 'คืนเงิน',
  undocumented: '?',
}

const toHtml = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

/** Shows the supplier's books as a page on which one can choose the next purchase's fault, pay money in and change prices. */
export function showBooks(
  name: SupplierName,
  register: Register,
  { method, form }: { method: string; form: URLSearchParams },
  response: ServerResponse,
): void {
  const faults: readonly Fault[] = faultsOf(name)
  if (method === 'POST') {
    const fault = form.get('fault') as Fault | null
    if (fault && faults.includes(fault)) register.faults.push(fault)
    register.balanceSatang += parseBaht(form.get('amount') ?? '') ?? 0
    const product = register.products.find(({ id }) => id === form.get('product'))
    const priceSatang = parseBaht(form.get('price') ?? '')
    if (product && priceSatang) product.priceSatang = priceSatang
    return void response.writeHead(303, { location: '/' }).end()
  }
  const options = faults.map(fault => `<option value="${fault}">${faultLabel(name, fault)}</option>`).join('')
  const products = register.products
    .map(each => `<option value="${toHtml(each.id)}">${toHtml(each.name)} ${formatBaht(each.priceSatang)}</option>`)
    .join('')
  const bought = [...register.booked.values()]
    .reverse()
    .map(
      booked =>
        `<li>${toHtml(booked.reference)} · ${toHtml(booked.product.name)} × ${booked.quantity} · ${toHtml(Object.values(booked.fields).join(' '))}
        · ${formatBaht(booked.costSatang)} บาท · ${PROGRESS[register.progressOf(booked)]}${booked.fault ? ` · ${faultLabel(name, booked.fault)}` : ''}</li>`,
    )
    .join('')
  const calls = register.journal
    .slice(-20)
    .reverse()
    .map(
      ({ at, method: how, path, status }) =>
        `<li><small>${at.slice(11, 19)}Z ${how} ${toHtml(path)} ${status ?? 'ไม่ตอบ'}</small></li>`,
    )
    .join('')
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html><html lang="th">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>ผู้จำหน่ายจำลอง ${supplierLabel(name)}</title>
<style>body{font:16px/1.6 system-ui;max-width:760px;margin:2rem auto;padding:0 1rem}form{display:flex;gap:.5rem;margin:.5rem 0;flex-wrap:wrap}
button,select,input{font:inherit;min-height:44px}</style>
<h1>ผู้จำหน่ายจำลอง ${supplierLabel(name)}</h1><p>เงินของร้าน ${formatBaht(register.balanceSatang)} บาท</p>
<form method="post"><select name="fault" aria-label="สถานการณ์ของคำสั่งซื้อถัดไป">${options}</select><button>ใช้กับคำสั่งซื้อถัดไป</button></form>
<form method="post"><input name="amount" aria-label="เติมเงิน (บาท)" placeholder="เติมเงิน (บาท)" inputmode="decimal"><button>เติมเงินให้ร้าน</button></form>
<form method="post"><select name="product" aria-label="สินค้า">${products}</select><input name="price" aria-label="ราคาใหม่ (บาท)" placeholder="ราคาใหม่ (บาท)" inputmode="decimal"><button>เปลี่ยนราคา</button></form>
<p>รอใช้: ${register.faults.map(fault => faultLabel(name, fault)).join(', ') || 'ไม่มี'}</p>
<h2>คำสั่งซื้อ</h2><ul>${bought || '<li>ยังไม่มี</li>'}</ul><h2>การเรียกล่าสุด</h2><ul>${calls || '<li>ยังไม่มี</li>'}</ul></html>`)
}
