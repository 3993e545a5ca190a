/** Returns a text with Thai digits as the others: "๓๕" -> "35". */
export const latinDigits = (text: string): string =>
  text.replaceAll(/[๐-๙]/g, digit => String(digit.charCodeAt(0) - '๐'.charCodeAt(0)))

const FULL_WIDTH = 0xff01 - 0x21

/**
 * Returns what somebody typed or pasted as it looks: one code for each letter, the usual one instead of its full-width form
 * and for every kind of space, and nothing that nobody sees. What joins pictures to one is seen.
 */
export const asSeen = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/(\p{Extended_Pictographic}\p{Emoji_Modifier}?[\u200d\ufe0f]+)|\p{Default_Ignorable_Code_Point}/gu, '$1')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\uff01-\uff5e]/g, letter => String.fromCharCode(letter.charCodeAt(0) - FULL_WIDTH))

/** Returns a number or id that was typed or copied, without the spaces and dashes of all kinds inside: "081\u2011234 5678". */
export const withoutGaps = (text: string): string => asSeen(text).replaceAll(/[\s\u2010-\u2013-]/g, '')

/** Returns the digits alone of what was typed or copied: "G-123 ๔๕๖" -> "123456". */
export const digitsIn = (text: string): string => latinDigits(asSeen(text)).replaceAll(/\D/g, '')
