import decodeQr from 'qr/decode.js'

/** A page of a shop has one for paying, one of LINE and the slip's own; more are not looked for. */
const MOST_CODES = 5

/** RGBA, from the top left. */
interface Picture {
  width: number
  height: number
  data: Uint8Array | Uint8ClampedArray
}
interface Corner {
  x: number
  y: number
}

/** Returns the texts of the QR codes in a picture. Each is painted over, so that the next one is found. */
export function readQrTexts(picture: Picture): string[] {
  const texts: string[] = []
  for (let n = 0; n < MOST_CODES; n++) {
    const found: (readonly Corner[])[] = []
    try {
      texts.push(decodeQr(picture, { pointsOnDetect: ({ bounds }) => found.push(bounds) }))
    } catch {
      // There is none, or it can't be read; another one may be.
    }
    if (found.length === 0) return texts
    for (const corners of found) paintOver(picture, corners)
  }
  return texts
}

function paintOver({ width, height, data }: Picture, corners: readonly Corner[]): void {
  const inside = (value: number, end: number) => Math.min(Math.max(Math.round(value), 0), end)
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [left, right] = [inside(Math.min(...xs), width), inside(Math.max(...xs), width)]
  for (let y = inside(Math.min(...ys), height); y < inside(Math.max(...ys), height); y++)
    data.fill(0xff, 4 * (y * width + left), 4 * (y * width + right))
}
