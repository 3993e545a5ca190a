import { bankOf } from '@shop/shared/catalogue/banks.ts'

interface BankMarkProps {
  /** The bank by its code, e.g. "004", with the logo staff gave it. */
  bank: { code: string; logo: string | null }
  /** Width in rem. */
  size?: number
}

/** Perceived lightness, enough to choose between black and white letters on a bank's colour. */
function isLight(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150
}

/** How wide the short code is drawn, of a tile of 40: all of it is legible, however long. */
const letteringOf = (shortCode: string) => ({ 2: 22, 3: 28 })[shortCode.length] ?? 33

/**
 * A bank at a glance, drawn by us: its colour as a card with its short code. Its name always stands beside, so screen
 * readers skip this.
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
