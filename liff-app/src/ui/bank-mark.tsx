import { bankOf } from '@shop/shared/catalogue/banks.ts'

interface BankMarkProps {
  /** The bank by its code, e.g. "004", with the logo staff gave it. */
  bank: { code: string; logo: string | null }
  /** Width in rem. */
  size?: number
}

/** Whether a colour is so light that letters on it must be black. */
function isLight(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150
}

/** How wide the short code is drawn on a tile of 40, so that even a long one fits. */
const letteringOf = (shortCode: string) => ({ 2: 22, 3: 28 })[shortCode.length] ?? 33

/**
 * The logo that staff gave a bank, or a tile in its colour with its short code. The bank's name always stands beside
 * it, so screen readers skip it.
 */
export function BankMark({ bank, size = 2 }: BankMarkProps) {
  const box = { width: `${size}rem`, height: `${size}rem` }
  if (bank.logo)
    return (
      <img
        src={bank.logo}
        alt=""
        style={box}
        width={40}
        height={40}
        className="flex-none rounded-small object-contain"
      />
    )
  const { color, shortCode } = bankOf(bank.code)
  const ink = isLight(color) ? '#151922' : '#fff'
  const width = letteringOf(shortCode)
  return (
    <svg viewBox="0 0 40 40" style={box} className="flex-none" aria-hidden="true">
      <rect width="40" height="40" rx="10" fill={color} />
      <path d="M9 13.5 20 7l11 6.5z" fill={ink} opacity="0.9" />
      <text
        x="20"
        y="27"
        fontSize="11.5"
        fontWeight="700"
        textAnchor="middle"
        textLength={width}
        lengthAdjust="spacingAndGlyphs"
        fill={ink}
      >
        {shortCode}
      </text>
      <path d="M9 31.5h22" stroke={ink} strokeWidth="2" strokeLinecap="round" opacity="0.9" />
    </svg>
  )
}
