import type { ReceivingAccount } from '@shop/shared/catalogue/endpoints.ts'
import { formatBaht, type Satang } from '@shop/shared/money.ts'
import { SHOP_NAME } from '@shop/shared/shop-name.ts'
import { formatDateTime } from '@shop/web/dates.ts'
import { paintQr, type QrCode } from '../ui/qr-picture.ts'

/** In pixels. It is as wide as a phone's screen, so that banking apps can scan it from the gallery. */
const WIDTH = 1080
const HEIGHT = 1720
const QR_SIDE = 940

const INK = '#151922'
const MUTED = '#555e70'
const ACCENT = '#2347c5'
const BAD = '#b3261e'
/** The colour of the band that names the payment scheme; the band is our own drawing. */
const SCHEME = '#0e3d67'

/** A payment that a PromptPay QR asks for. */
export interface QrTransfer {
  qr: QrCode
  amountSatang: Satang
  /** Who gets the money: the name that the payer's bank shows, and the account where there is one to name. */
  payee: { name: string; account: string }
  /** What the payer has to mind. */
  advice: string
  /** What it pays for: the goods, and what it is called in the shop. */
  goods: string
  subject: string
  /** When it must be made; null at any time. */
  until: string | null
  /** The name of the saved picture, without its ending. */
  fileName: string
}

interface Line {
  text: string
  px: number
  weight: number
  color: string
  /** The position of the baseline. */
  y: number
}

/** The lines below the QR: amount, payee, goods and deadline. */
export function linesOf({ amountSatang, payee, advice, goods, subject, until }: QrTransfer): Line[] {
  return [
    { text: `${formatBaht(amountSatang)} บาท`, px: 92, weight: 700, color: INK, y: 1285 },
    { text: advice, px: 36, weight: 500, color: MUTED, y: 1338 },
    { text: `ผู้รับเงิน ${payee.name}`, px: 42, weight: 600, color: INK, y: 1418 },
    { text: payee.account, px: 36, weight: 500, color: MUTED, y: 1470 },
    { text: goods, px: 36, weight: 500, color: MUTED, y: 1540 },
    { text: subject, px: 38, weight: 600, color: INK, y: 1592 },
    { text: until ? `โอนภายใน ${formatDateTime(until)} น.` : '', px: 38, weight: 600, color: BAD, y: 1660 },
  ]
}

/** Smaller letters can't be read on a phone's screen. */
const LEAST_PX = 28

/** Cuts a text after the last whole letter that fits, if it does not fit as it is. */
export function cutTo(text: string, isFitting: (text: string) => boolean): string {
  const letters = [...new Intl.Segmenter('th').segment(text)].map(({ segment }) => segment)
  let shown = text
  while (!isFitting(shown) && letters.pop()) shown = `${letters.join('')}…`
  return shown
}

/** Writes a line at its size, or smaller if it does not fit. If it would become too small, it is cut. */
function write(context: CanvasRenderingContext2D, family: string, { text, px, weight, color, y }: Line): void {
  const setFont = (size: number) => {
    context.font = `${weight} ${size}px ${family}`
  }
  setFont(px)
  const room = WIDTH - 96
  const width = context.measureText(text).width
  if (width > room) setFont(Math.max(LEAST_PX, Math.floor((px * room) / width)))
  context.fillStyle = color
  const shown = cutTo(text, each => context.measureText(each).width <= room)
  context.fillText(shown, WIDTH / 2, y)
}

/** Gives the page's font once it is loaded for these words, because a canvas does not wait for fonts. */
async function loadFamily(words: string): Promise<string> {
  const family = getComputedStyle(document.body).fontFamily
  await Promise.all([500, 600, 700].map(weight => document.fonts.load(`${weight} 40px ${family}`, words)))
  return family
}

/**
 * Draws the picture that people keep to pay from: shop, scheme, QR, amount, payee, goods and deadline.
 * @throws Error where the browser can't draw pictures
 */
export async function drawPayPicture(transfer: QrTransfer): Promise<Blob> {
  const lines = linesOf(transfer)
  const scheme = 'พร้อมเพย์ · PromptPay'
  const family = await loadFamily([SHOP_NAME, scheme, ...lines.map(({ text }) => text)].join(''))
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = ACCENT
  context.fillRect(0, 0, WIDTH, 140)
  context.textAlign = 'center'
  write(context, family, { text: SHOP_NAME, px: 56, weight: 700, color: '#fff', y: 90 })
  context.fillStyle = SCHEME
  context.beginPath()
  context.roundRect((WIDTH - 560) / 2, 172, 560, 88, 20)
  context.fill()
  write(context, family, { text: scheme, px: 42, weight: 700, color: '#fff', y: 231 })
  await paintQr(context, transfer.qr, { left: (WIDTH - QR_SIDE) / 2, top: 262, side: QR_SIDE })
  for (const line of lines) write(context, family, line)
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('no picture')
  return blob
}

/** The payee of a transfer to one of the shop's accounts. */
export const payeeOf = ({ accountName, bankName, accountNo }: ReceivingAccount): QrTransfer['payee'] => ({
  name: accountName,
  account: `${bankName} ${accountNo}`,
})
