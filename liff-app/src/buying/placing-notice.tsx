import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { isUnanswered } from '../unanswered.ts'

/** What the customer can change on the purchase page. */
const CHANGEABLE: ErrorCode[] = [
  'PLAYER_FIELD_REQUIRED',
  'PLAYER_NOT_FOUND',
  'PLAYER_LOOKUP_TIMED_OUT',
  'ORDER_OVER_TIER_LIMIT',
  'QUANTITY_OVER_TIER_LIMIT',
]

function findWayOn(code: ErrorCode, back: string): { to: string; label: string } | null {
  if (CHANGEABLE.includes(code)) return { to: back, label: 'แก้ไข' }
  return code === 'WALLET_BALANCE_TOO_LOW' ? { to: '/wallet', label: 'เติมเงิน' } : null
}

interface NoticeProps {
  error: Error | null
  newPriceSatang: number | null
  back: string
}

/** Why no order was made, in the page where it stays readable. */
export function PlacingNotice({ error, newPriceSatang, back }: NoticeProps) {
  if (newPriceSatang !== null) {
    return (
      <Note className="mt-3" kind="warn" role="alert">
        {`ราคาเปลี่ยนเป็น ฿${formatBaht(newPriceSatang)} แล้ว กรุณาตรวจสอบยอดรวมอีกครั้งก่อนดำเนินการต่อ`}
      </Note>
    )
  }
  if (!error) return null
  const code = error instanceof AppError ? error.code : 'INTERNAL'
  const way = findWayOn(code, back)
  return (
    <Note
      className="mt-3"
      kind="bad"
      role="alert"
      action={
        way && (
          <ButtonLink kind="secondary" size="inline" to={way.to} replace={way.to === back}>
            {way.label}
          </ButtonLink>
        )
      }
    >
      {isUnanswered(error) ? 'สร้างรายการไม่สำเร็จ กรุณาลองอีกครั้ง' : messageOf(error)}
    </Note>
  )
}
