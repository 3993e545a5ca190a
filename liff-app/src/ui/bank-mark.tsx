type BankMarkProps = {
  /** The bank's own colour, "#rrggbb". */
  colour: string
  /** Two or three letters, shown when there is no logo. */
  monogram: string
  logo?: string | null
  /** Width in rem. */
  size?: number
}

/** Perceived lightness, enough to choose between black and white letters on a bank's colour. */
function isLight(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150
}

/** A bank at a glance; its name always stands beside, so screen readers skip this. */
export function BankMark({ colour, monogram, logo, size = 1.75 }: BankMarkProps) {
  const box = { width: `${size}rem`, height: `${size}rem` }
  if (logo)
    return (
      <img src={logo} alt="" style={box} width={40} height={40} className="flex-none rounded-small object-contain" />
    )
  return (
    <svg viewBox="0 0 32 32" style={box} className="flex-none" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill={colour} />
      <text
        x="16"
        y="20.6"
        fontSize="12.5"
        fontWeight="700"
        textAnchor="middle"
        fill={isLight(colour) ? '#151922' : '#fff'}
      >
        {monogram}
      </text>
    </svg>
  )
}
