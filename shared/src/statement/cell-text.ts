/** Returns a cell's text as a person reads it: Thai digits as 0-9, sara am as one sign, blanks as one space. */
export function plain(cell: string): string {
  return cell
    .replace(/[๐-๙]/g, digit => String(digit.charCodeAt(0) - 0x0e50))
    .replaceAll('\u0e4d\u0e32', '\u0e33')
    .replace(/[\u200b-\u200d\u2060]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Returns a text for comparing headings and words: plain and in lower case. */
export const sameText = (cell: string): string => plain(cell).toLowerCase()

/** 0 -> "A", 26 -> "AA": how spreadsheets name a column. */
export function columnLetter(index: number): string {
  const rest = Math.floor(index / 26)
  return (rest > 0 ? columnLetter(rest - 1) : '') + String.fromCharCode(65 + (index % 26))
}
