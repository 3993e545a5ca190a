import { showPhone } from '@shop/shared/account/account.ts'
import { NO_PLAYER } from '@shop/shared/catalogue/catalogue.ts'
import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { unitPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import type { Options } from '@shop/shared/settings/option.ts'
import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import { closePaper, type FontName, linesOf, openPaper, type Paper } from '../../http/pdf.ts'

const MARGIN = 48
const WIDTH = 595.28 - 2 * MARGIN
const RIGHT = MARGIN + WIDTH
/** The height of a line relative to the letters' size; Thai letters carry marks above and below. */
const LEADING = 1.55
const INK = '#151922'
const MUTED = '#4b5263'
const LINE = '#c3c9d6'

/** The paper is a receipt only once the money has come in; before that it states what was ordered. */
export function titleOf({ status }: Pick<OrderView, 'status'>): string {
  const { money, label } = ORDER_STATUS[status]
  if (money === 'none') return 'ใบยืนยันคำสั่งซื้อ'
  return money === 'held' ? 'ใบรับเงิน' : `ใบรับเงิน (${label})`
}

interface Style {
  font?: FontName
  size?: number
  color?: string
  align?: 'left' | 'right'
}

/** Writes a text into a column that begins at `x`; returns where the next text below it begins. */
function write(paper: Paper, text: string, place: { x: number; y: number; width: number }, style: Style = {}): number {
  const { font = 'regular', size = 11, color = INK, align = 'left' } = style
  paper.setFont(font, size)
  paper.document.fillColor(color)
  let { y } = place
  for (const line of linesOf(paper, text, place.width)) {
    const left = align === 'right' ? place.x + place.width - paper.document.widthOfString(line) : place.x
    if (line) paper.document.text(line, left, y, { lineBreak: false })
    y += size * LEADING
  }
  return y
}

function rule({ document }: Paper, y: number): number {
  document.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.7).strokeColor(LINE).stroke()
  return y + 10
}

const LABEL_WIDTH = 130

/** Writes labels and values in two columns; an empty value is a dash. */
function writeFacts(paper: Paper, facts: [string, string | null | undefined][], y: number): number {
  let at = y
  for (const [label, value] of facts) {
    const below = write(paper, label, { x: MARGIN, y: at, width: LABEL_WIDTH - 8 }, { color: MUTED })
    const x = MARGIN + LABEL_WIDTH
    at = Math.max(below, write(paper, value || '–', { x, y: at, width: WIDTH - LABEL_WIDTH })) + 2
  }
  return at
}

interface Column {
  heading: string
  width: number
  align: 'left' | 'right'
}
const COLUMNS: Column[] = [
  { heading: 'No', width: 30, align: 'left' },
  { heading: 'รหัส', width: 62, align: 'left' },
  { heading: 'รายละเอียด', width: WIDTH - 332, align: 'left' },
  { heading: 'จำนวน', width: 60, align: 'right' },
  { heading: 'ราคาต่อหน่วย', width: 90, align: 'right' },
  { heading: 'รวม (บาท)', width: 90, align: 'right' },
]

function writeRow(paper: Paper, cells: string[], y: number, style: Style): number {
  let x = MARGIN
  const ends = COLUMNS.map(({ width, align }, at) => {
    const end = write(paper, cells[at] ?? '', { x, y, width: width - 6 }, { ...style, align })
    x += width
    return end
  })
  return Math.max(...ends)
}

const money = (order: OrderView): [string, string][] => [
  ['ราคาสินค้า', formatBaht(order.priceSatang)],
  ...(order.creditSatang > 0 ? [['ชำระด้วยเครดิตร้าน', formatBaht(order.creditSatang)] as [string, string]] : []),
  ...(order.tailSatang > 0 ? [['เศษสตางค์สำหรับตรวจยอด', formatBaht(order.tailSatang)] as [string, string]] : []),
]

function writeItems(paper: Paper, order: OrderView, y: number): number {
  const headings = COLUMNS.map(({ heading }) => heading)
  let at = rule(paper, writeRow(paper, headings, y, { font: 'bold', size: 10, color: MUTED }) + 2)
  const item = [
    '1',
    String(order.package.id),
    `${order.game.name} · ${order.package.name}`,
    String(order.quantity),
    formatBaht(unitPriceOf(order)),
    formatBaht(order.priceSatang),
  ]
  at = rule(paper, writeRow(paper, item, at, {}) + 4)
  for (const [label, amount] of money(order)) {
    const column = { y: at, x: MARGIN, width: WIDTH - 96 }
    write(paper, label, column, { align: 'right', color: MUTED })
    at = write(paper, amount, { x: RIGHT - 96, y: at, width: 90 }, { align: 'right' })
  }
  const total = { font: 'bold', size: 14, align: 'right' } as const
  write(paper, 'ยอดรวมทั้งหมด', { x: MARGIN, y: at + 2, width: WIDTH - 126 }, total)
  return write(paper, `฿${formatBaht(order.amountSatang)}`, { x: RIGHT - 126, y: at + 2, width: 120 }, total) + 6
}

function writeHead(paper: Paper, order: OrderView, options: Options): number {
  const half = WIDTH / 2 - 12
  const company = [options.COMPANY_NAME, options.COMPANY_ADDRESS]
  const contact = [options.CONTACT_PHONE && `โทร. ${options.CONTACT_PHONE}`, options.CONTACT_EMAIL]
  let left = write(paper, SHOP_NAME, { x: MARGIN, y: MARGIN, width: half }, { font: 'bold', size: 16 })
  for (const text of [...company, contact.filter(Boolean).join(' · ')].filter(Boolean))
    left = write(paper, text, { x: MARGIN, y: left, width: half }, { size: 10, color: MUTED })
  const x = MARGIN + WIDTH / 2
  const column = { x, width: WIDTH / 2 }
  let right = write(paper, titleOf(order), { ...column, y: MARGIN }, { font: 'bold', size: 16, align: 'right' })
  right = write(paper, `เลขที่ ${order.orderNo}`, { ...column, y: right }, { align: 'right' })
  const status = `สถานะ: ${ORDER_STATUS[order.status].label}`
  return Math.max(left, write(paper, status, { ...column, y: right }, { align: 'right', font: 'bold' })) + 8
}

const moment = (instant: string | null) => instant && formatDateTimeSeconds(instant)

/** Whom it is for; codes are for no player. */
const playerOf = ({ playerId, playerName }: OrderView): string | null =>
  playerId === NO_PLAYER ? null : [playerId, playerName].filter(Boolean).join(' · ')

function factsOf(order: OrderView): [string, string | null | undefined][] {
  const { buyer, receivingAccount: account } = order
  const [player, ...others] = order.fields
  return [
    ['วันที่สั่งซื้อ', moment(order.createdAt)],
    ['วันที่ชำระเงิน', moment(order.paidAt)],
    ['ผู้ซื้อ', buyer?.name],
    ['ติดต่อ', [showPhone(buyer?.tel ?? null), buyer?.email].filter(Boolean).join(' · ')],
    ['วิธีชำระเงิน', PAYMENT_METHOD[order.payment].name],
    ['ธนาคาร', account && `${account.bankName} ${account.accountNo} ${account.accountName}`],
    [player?.label ?? 'Player ID', playerOf(order)],
    ...others.map(({ label, value }) => [label, value] as [string, string]),
    ['เลขอ้างอิงการเติม', order.deliveryReference],
    ...[order.reason, order.reduction].flatMap(note => (note ? [['หมายเหตุ', note] as [string, string]] : [])),
  ]
}

/** Prints an order with the content of its page. */
export async function printReceipt(order: OrderView, options: Options, now: Date): Promise<Uint8Array> {
  const paper = openPaper({ title: `${titleOf(order)} ${order.orderNo}`, margin: MARGIN })
  let y = rule(paper, writeHead(paper, order, options))
  y = rule(paper, writeFacts(paper, factsOf(order), y) + 4)
  y = writeItems(paper, order, y)
  const foot = `เอกสารนี้ไม่ใช่ใบกำกับภาษี · พิมพ์เมื่อ ${formatDateTimeSeconds(now)} น. (เวลาประเทศไทย)`
  write(paper, foot, { x: MARGIN, y: rule(paper, y + 8), width: WIDTH }, { size: 9, color: MUTED })
  return closePaper(paper)
}
