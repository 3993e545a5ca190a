/** Returns a text with Thai digits as the others: "๓๕" -> "35". */
export const latinDigits = (text: string): string =>
  text.replaceAll(/[๐-๙]/g, digit => String(digit.charCodeAt(0) - '๐'.charCodeAt(0)))
