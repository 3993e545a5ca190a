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

/**
 * The same for a number of which a bank shows a part without saying how much it hides: "x1234", "0942x148". A whole number
 * may have lost its leading zeros in a table.
 */
export function holdNumber(number: string, shown: string | null): 'fits' | 'differs' | 'unclear' {
  const [own, text] = [bare(number), bare(shown ?? '').toLowerCase()]
  const told = /^\d{1,5}$/.test(text) ? `x${text}` : text
  if (/^\d+$/.test(told)) return told.padStart(own.length, '0') === own ? 'fits' : 'differs'
  if (told.length === own.length) return holdAgainstMask(own, told)
  if (!/^[\dx*•]+$/.test(told)) return 'unclear'
  const pattern = new RegExp(`^${told.replace(/[x*•]+/g, '\\d+')}$`)
  if (!pattern.test(own)) return 'differs'
  return told.replace(/\D/g, '').length >= MIN_VISIBLE ? 'fits' : 'unclear'
}
