import { AppError, messageOf } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import { useRef } from 'react'
import { isPinClosed, PinClosedNote } from '../account/pin-closed.tsx'
import { ContactLink } from '../settings/contact-link.tsx'
import { Amount } from '../ui/amount.tsx'
import type { Fact } from '../ui/facts.tsx'
import { PinPad } from '../ui/pin-pad.tsx'
import { Problem } from '../ui/problem.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { isUnanswered } from '../unanswered.ts'

/** Whether the sheet itself deals with a failure; any other one is about the order. */
export const isAboutPin = (error: unknown): boolean =>
  isUnanswered(error) || isPinClosed(error) || (error instanceof AppError && error.code === 'PIN_WRONG')

const LOST = 'ยังไม่ทราบผล กรุณากรอก PIN อีกครั้ง หากสั่งซื้อไปแล้ว ระบบจะไม่ตัดเงินซ้ำ'

interface PinSheetProps {
  open: boolean
  /** "PUBG Mobile · 325 UC × 2" */
  what: string
  /** Whose goods they are: the one thing that can't be taken back. */
  player: Fact[]
  totalSatang: Satang
  balanceSatang: Satang
  /** Why no PIN can be tried, when that is known before one was typed. */
  lock: AppError | null
  busy: boolean
  error: Error | null
  onPin: (pin: string) => void
  onClose: () => void
}

/** The last step of a purchase from the wallet. It shows goods, price and remaining balance, and asks for the PIN. */
export function PinSheet({
  open,
  what,
  player,
  totalSatang,
  balanceSatang,
  lock,
  busy,
  error,
  onPin,
  onClose,
}: PinSheetProps) {
  const input = useRef<HTMLInputElement>(null)
  const code = error instanceof AppError ? error.code : null
  const closed = isPinClosed(error) ? error : error === null ? lock : null
  return (
    <Sheet open={open} onClose={onClose} title="ยืนยันการเติมเงิน" busy={busy} firstField={input}>
      <dl className="rounded-control bg-canvas px-3.5 py-2.5">
        <div className="flex flex-wrap justify-between gap-x-4">
          <dt className="min-w-0 text-ink-2">{what}</dt>
          <dd className="ml-auto">
            <Amount satang={totalSatang} className="text-total" />
          </dd>
        </div>
        {player.map(({ label, value, note }) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-ink-2">{label}</dt>
            <dd className="ml-auto text-right font-semibold tabular-nums">
              {value}
              {note && <span className="block font-normal text-note text-ok">{note}</span>}
            </dd>
          </div>
        ))}
        {balanceSatang >= totalSatang && (
          <div className="flex flex-wrap justify-between gap-x-4 text-ink-2 text-note">
            <dt>ยอดคงเหลือหลังชำระ</dt>
            <dd className="ml-auto">
              <Amount satang={balanceSatang - totalSatang} />
            </dd>
          </div>
        )}
      </dl>
      {closed ? (
        <PinClosedNote className="mt-3" error={closed} />
      ) : (
        <>
          <Problem className="mt-3">{error && isUnanswered(error) && !busy && LOST}</Problem>
          <PinPad
            label="กรุณากรอก PIN เพื่อยืนยันการเติมเงิน"
            inputRef={input}
            busy={busy}
            error={code === 'PIN_WRONG' && !busy ? messageOf(error) : undefined}
            help={busy ? 'กำลังสั่งซื้อ' : <ContactLink>ลืม PIN</ContactLink>}
            onComplete={onPin}
          />
        </>
      )}
    </Sheet>
  )
}
