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

/** A bank at a glance; its name always stands beside, so screen readers skip this. */
export function BankMark({ bank, size = 1.75 }: BankMarkProps) {
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
  return (
    <svg viewBox="0 0 32 32" style={box} className="flex-none" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill={color} />
      <text
        x="16"
        y="20.6"
        fontSize="12.5"
        fontWeight="700"
        textAnchor="middle"
        fill={isLight(color) ? '#151922' : '#fff'}
      >
        {shortCode.slice(0, 2)}
      </text>
    </svg>
  )
}
