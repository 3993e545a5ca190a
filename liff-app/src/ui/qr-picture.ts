import { encode } from 'uqr'

const MODULE_PX = 8
/** The empty frame that scanners need, in modules. */
const QUIET = 4

/** A QR as a PNG data URL: a plain picture can be long-pressed and saved everywhere. */
export function drawQr(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET })
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size * MODULE_PX
  const context = canvas.getContext('2d')
  if (!context) return ''
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  data.forEach((row, y) => {
    row.forEach((isDark, x) => {
      if (isDark) context.fillRect(x * MODULE_PX, y * MODULE_PX, MODULE_PX, MODULE_PX)
    })
  })
  return canvas.toDataURL('image/png')
}
