import type { PackageSales, Share } from '@shop/shared/dashboard/endpoints.ts'

/** In the order in which things are drawn; what is left over is drawn in the last. */
const COLOURS = ['#2347c5', '#0b8a7a', '#c4683c', '#7a5cc0', '#b8860b', '#c2477f', '#3a7ca5', '#5e6b45'] as const
const OTHERS_COLOUR = '#9aa3b5'
const OTHERS = 'อื่น ๆ'
/** More lines than this nobody tells apart. */
const LINES = 5
const SHARES = 5

export interface Series {
  key: string
  name: string
  gameName: string | null
  colour: string
  total: number
  details: { period: string; totalSale: number }[]
}

/** The packages that sold most, one line each, and all others together in the last. */
export function seriesOf(packages: readonly PackageSales[]): Series[] {
  const shown = packages.length > LINES + 1 ? packages.slice(0, LINES) : packages
  const others = packages.slice(shown.length)
  const series: Series[] = shown.map(({ packageId, packageName, gameName, totalSale, details }, index) => ({
    key: String(packageId),
    name: packageName,
    gameName,
    total: totalSale,
    details,
    colour: COLOURS[index]!,
  }))
  if (others.length === 0) return series
  const details = others[0]!.details.map(({ period }, step) => ({
    period,
    totalSale: others.reduce((sum, each) => sum + each.details[step]!.totalSale, 0),
  }))
  const total = others.reduce((sum, each) => sum + each.totalSale, 0)
  return [
    ...series,
    { key: 'others', name: `${OTHERS} (${others.length})`, gameName: null, colour: OTHERS_COLOUR, total, details },
  ]
}

export interface Slice {
  key: string
  name: string
  colour: string
  satang: number
  /** 0..1 */
  share: number
}

/** The largest shares, and all others together. */
export function slicesOf(shares: readonly Share[]): Slice[] {
  const all = shares.reduce((sum, each) => sum + each.revenueSatang, 0)
  const shown = shares.length > SHARES + 1 ? shares.slice(0, SHARES) : shares
  const others = shares.slice(shown.length)
  const rest = others.reduce((sum, each) => sum + each.revenueSatang, 0)
  const slices = shown.map(({ id, name, revenueSatang }, index) => ({
    key: String(id),
    name,
    satang: revenueSatang,
    share: revenueSatang / all,
    colour: COLOURS[index]!,
  }))
  if (others.length === 0) return slices
  return [
    ...slices,
    { key: 'others', name: `${OTHERS} (${others.length})`, satang: rest, share: rest / all, colour: OTHERS_COLOUR },
  ]
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)}%`
export const grouped = (count: number): string => count.toLocaleString('en-US')
