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

/** Returns what is wrong with a value, in words; null when nothing is. */
export function playerFormatProblem(format: PlayerFormat | null, value: string): string | null {
  return format && PROBLEMS[format.kind](format as never, value)
}
