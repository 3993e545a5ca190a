import { formatBahtShort, splitBaht } from '@shop/shared/money.ts'
import { classes } from './classes.ts'

/**
 * `plain` ฿149.37 · `exact` the same with the satang in the accent, for the amount to transfer ·
 * `pending` ฿149.xx, satang not given out yet · `signed` +1,000.00 / −322.00 for lists · `struck` the price before.
 */
export type AmountKind = 'plain' | 'exact' | 'pending' | 'signed' | 'struck'

interface AmountProps {
  satang: number
  kind?: AmountKind
  className?: string
}

/** The amount as it is read out: "149 บาท 37 สตางค์". */
function speakAmount(amountSatang: number): string {
  const { sign, baht, satang } = splitBaht(amountSatang)
  return `${sign && 'ลบ '}${baht} บาท${satang === '00' ? '' : ` ${satang} สตางค์`}`
}

function reading(satang: number, kind: AmountKind): string {
  if (kind === 'pending') return `${splitBaht(satang).baht} บาท และเศษสตางค์`
  if (kind === 'struck') return `ราคาเดิม ${speakAmount(satang)}`
  return speakAmount(satang)
}

function Figures({ satang: amount, kind }: { satang: number; kind: AmountKind }) {
  const { sign, baht, satang } = splitBaht(amount)
  if (kind === 'struck') return <s>฿{formatBahtShort(amount)}</s>
  if (kind === 'signed') return <>{`${sign || '+'}${baht}.${satang}`}</>
  if (kind === 'pending') {
    return (
      <>
        ฿{baht}
        <span className="text-ink-3">.xx</span>
      </>
    )
  }
  const exact = kind === 'exact' && 'text-accent underline decoration-2 underline-offset-4'
  return (
    <>
      {sign}฿{baht}
      <span className={exact || undefined}>.{satang}</span>
    </>
  )
}

/** An amount of money in figures, which screen readers read out in words. */
export function Amount({ satang, kind = 'plain', className }: AmountProps) {
  return (
    <span
      translate="no"
      className={classes(
        'whitespace-nowrap tabular-nums',
        kind === 'struck' && 'ml-1.5 font-normal text-ink-3 text-note',
        className,
      )}
    >
      <span className="sr-only">{reading(satang, kind)}</span>
      <span aria-hidden="true">
        <Figures satang={satang} kind={kind} />
      </span>
    </span>
  )
}
