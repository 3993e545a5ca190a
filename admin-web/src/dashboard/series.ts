import type { PackageSales, Share } from '@shop/shared/dashboard/endpoints.ts'

/** In the order in which things are drawn; the rest, which stands together, has its own. */
const COLOURS = ['#2347c5', '#0b8a7a', '#c4683c', '#7a5cc0', '#b8860b', '#c2477f'] as const
const COLOUR_OF_REST = '#9aa3b5'
/** The key of the rest. */
export const REST = 'others'
/** Nobody can tell more lines than this apart. */
const LINES = 5
const SHARES = 5

/** Draws the first of a list one by one and the rest together; a single one that is left stands by itself. */
export function drawFirst<T, Drawn>(
  list: readonly T[],
  most: number,
  one: (each: T, index: number) => Drawn,
  together: (rest: readonly T[], name: string) => Drawn,
): Drawn[] {
  const shown = list.length > most + 1 ? list.slice(0, most) : list
  const rest = list.slice(shown.length)
  return [...shown.map(one), ...(rest.length > 0 ? [together(rest, `อื่น ๆ (${rest.length})`)] : [])]
}

export const sumOf = <T>(list: readonly T[], of: (each: T) => number): number =>
  list.reduce((sum, each) => sum + of(each), 0)

export interface Series {
  key: string
  name: string
  gameName: string | null
  colour: string
  total: number
  details: { period: string; totalSale: number }[]
}

/** Returns one line for each of the packages that sold most, and one for all others together. */
export function seriesOf(packages: readonly PackageSales[]): Series[] {
  return drawFirst<PackageSales, Series>(
    packages,
    LINES,
    ({ packageId, packageName, gameName, totalSale, details }, index) => {
      return { key: String(packageId), name: packageName, gameName, total: totalSale, details, colour: COLOURS[index]! }
    },
    (rest, name) => {
      const total = sumOf(rest, ({ totalSale }) => totalSale)
      const details = rest[0]!.details.map(({ period }, step) => {
        return { period, totalSale: sumOf(rest, each => each.details[step]!.totalSale) }
      })
      return { key: REST, name, gameName: null, total, details, colour: COLOUR_OF_REST }
    },
  )
}

export interface Slice {
  key: string
  name: string
  colour: string
  satang: number
  /** 0..1 */
  share: number
}

/** Returns the largest shares, and all others together. */
export function slicesOf(shares: readonly Share[]): Slice[] {
  const revenueOf = (some: readonly Share[]) => sumOf(some, ({ revenueSatang }) => revenueSatang)
  const slice = (key: string, name: string, colour: string, satang: number): Slice => {
    return { key, name, colour, satang, share: satang / revenueOf(shares) }
  }
  return drawFirst(
    shares,
    SHARES,
    ({ id, name, revenueSatang }, index) => slice(String(id), name, COLOURS[index]!, revenueSatang),
    (rest, name) => slice(REST, name, COLOUR_OF_REST, revenueOf(rest)),
  )
}

/** 0.036 -> "3.6%"; a negative share has the minus that amounts have. */
export function percent(share: number): string {
  const shown = Math.abs(share * 100).toFixed(1)
  return `${share < 0 && shown !== '0.0' ? '−' : ''}${shown}%`
}
export const grouped = (count: number): string => count.toLocaleString('en-US')
