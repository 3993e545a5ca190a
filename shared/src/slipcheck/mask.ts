const MIN_VISIBLE = 4
const HIDDEN = /[xX*•]/

const bare = (number: string): string => number.replace(/[\s-]/g, '')

/**
 * Compares a number with a masked one, position by position: "xxx-x-x0209-x" fits "1234502093". `unclear` when too few
 * digits are shown.
 */
export function holdAgainstMask(number: string, mask: string | null): 'fits' | 'differs' | 'unclear' {
  const [own, shown] = [bare(number), bare(mask ?? '')]
  if (own.length === 0 || own.length !== shown.length || !/^[\dxX*•]+$/.test(shown)) return 'unclear'
  const places = [...shown].map((character, index) => ({ character, own: own[index] }))
  const visible = places.filter(({ character }) => !HIDDEN.test(character))
  if (visible.some(({ character, own: digit }) => character !== digit)) return 'differs'
  return visible.length >= MIN_VISIBLE ? 'fits' : 'unclear'
}
