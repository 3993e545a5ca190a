import encodeQr from 'qr'

const MODULE_PX = 8
/** The width of the empty frame that scanners need, in modules. */
const QUIET = 4

interface Square {
  left: number
  top: number
  /** The QR is at most this wide, because its modules are whole pixels. */
  side: number
}

const encode = (text: string) => encodeQr(text, 'raw', { ecc: 'medium', border: QUIET })

function paint(context: CanvasRenderingContext2D, rows: boolean[][], { left, top, side }: Square): void {
  const px = Math.floor(side / rows.length)
  const margin = Math.floor((side - px * rows.length) / 2)
  context.fillStyle = '#fff'
  context.fillRect(left, top, side, side)
  context.fillStyle = '#000'
  rows.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) context.fillRect(left + margin + x * px, top + margin + y * px, px, px)
    })
  })
}

/** A QR code as what it says, or as a drawing that somebody else has made. */
export type QrCode = { text: string } | { svg: string }

/** The address of a drawing as a picture: within one it can neither run nor load anything. */
const addressOf = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

/** Paints a QR with its empty frame into a square. @throws DOMException when the browser can't read the drawing */
export async function paintQr(context: CanvasRenderingContext2D, qr: QrCode, square: Square): Promise<void> {
  if ('text' in qr) return paint(context, encode(qr.text), square)
  const { left, top, side } = square
  const picture = Object.assign(new Image(side, side), { src: addressOf(qr.svg) })
  await picture.decode()
  context.fillStyle = '#fff'
  context.fillRect(left, top, side, side)
  context.drawImage(picture, left, top, side, side)
}

/** The address under which a page shows a QR. */
export const qrAddress = (qr: QrCode): string => ('text' in qr ? drawQr(qr.text) : addressOf(qr.svg))

/** Draws a QR as a PNG data URL, since every browser can save a plain picture by a long press. */
export function drawQr(text: string): string {
  const rows = encode(text)
  const side = rows.length * MODULE_PX
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) return ''
  paint(context, rows, { left: 0, top: 0, side })
  return canvas.toDataURL('image/png')
}
