import { asSeen, latinDigits, withoutGaps } from '../typed-text.ts'

/**
 * The format of a player's input; null accepts any text. Staff can't enter patterns of their own, because one could
 * keep a server busy for ever.
 */
export type PlayerFormat =
  | { kind: 'digits'; min: number; max: number }
  | { kind: 'text'; min: number; max: number }
  | { kind: 'choices'; choices: string[] }

const lengthText = ({ min, max }: { min: number; max: number }) => (min === max ? `${min}` : `${min}–${max}`)

const PROBLEMS: {
  [K in PlayerFormat['kind']]: (format: Extract<PlayerFormat, { kind: K }>, value: string) => string | null
} = {
  digits: (format, value) =>
    /^\d+$/.test(value) && value.length >= format.min && value.length <= format.max
      ? null
      : `กรุณากรอกตัวเลข ${lengthText(format)} หลัก`,
  text: (format, value) =>
    [...value].length >= format.min && [...value].length <= format.max ? null : `กรุณากรอก ${lengthText(format)} ตัวอักษร`,
  choices: (format, value) => (format.choices.includes(value) ? null : 'กรุณาเลือกจากรายการ'),
}

/** Says that what was bought for a wrong player stays with that player. @param labels those of the inputs */
export const playerWarning = (labels: string[]): string =>
  `กรุณากรอก ${labels.join(' และ ')} ให้ถูกต้อง หากผิดจะไม่สามารถยกเลิกได้`

/** The most letters of any input. */
const MOST_LETTERS = 100

/** Returns what is wrong with a value, in words; null when nothing is. */
export function playerFormatProblem(format: PlayerFormat | null, value: string): string | null {
  if (format) return PROBLEMS[format.kind](format as never, value)
  return value.length > MOST_LETTERS ? `กรุณากรอกไม่เกิน ${MOST_LETTERS} ตัวอักษร` : null
}

/**
 * Returns what somebody typed or pasted as it is meant: players copy an id of digits with the spaces and dashes that
 * their game puts between them, and Thai keyboards have digits of their own.
 */
export function readPlayerValue(format: PlayerFormat | null, typed: string): string {
  return format?.kind === 'digits' ? latinDigits(withoutGaps(typed)) : asSeen(typed)
}
