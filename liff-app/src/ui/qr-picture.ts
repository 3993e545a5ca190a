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

/** Draws a QR with its empty frame into a square. */
export const paintQr = (context: CanvasRenderingContext2D, text: string, square: Square): void =>
  paint(context, encode(text), square)

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
