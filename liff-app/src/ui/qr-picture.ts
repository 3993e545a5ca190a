import encodeQr from 'qr'

const MODULE_PX = 8
/** The empty frame that scanners need, in modules. */
const QUIET = 4

/** A QR as a PNG data URL: a plain picture can be long-pressed and saved everywhere. */
export function drawQr(text: string): string {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: QUIET })
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = rows.length * MODULE_PX
  const context = canvas.getContext('2d')
  if (!context) return ''
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  rows.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) context.fillRect(x * MODULE_PX, y * MODULE_PX, MODULE_PX, MODULE_PX)
    })
  })
  return canvas.toDataURL('image/png')
}
