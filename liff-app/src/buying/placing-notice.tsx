import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { useSession } from '../account/session.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { isUnanswered } from '../unanswered.ts'
import { NotRead } from './place-order.ts'

/** Failures that the buyer can mend on the purchase page. */
const CHANGEABLE: ErrorCode[] = [
  'PLAYER_FIELD_REQUIRED',
  'PLAYER_NOT_FOUND',
  'ORDER_OVER_TIER_LIMIT',
  'QUANTITY_OVER_TIER_LIMIT',
  'STOCK_TOO_LOW',
  'AMOUNT_NOT_FOR_METHOD',
  'PAYMENT_METHOD_NOT_ALLOWED',
  'CREDIT_TOO_LOW',
  'CREDIT_COVERS_ALL',
]

interface WayOn {
  to: string
  label: string
}

function findWayOn(code: ErrorCode, back: string | undefined, uid: string | null): WayOn | null {
  if (back && CHANGEABLE.includes(code)) return { to: back, label: 'แก้ไข' }
  if (code === 'CREDIT_PIN_NOT_SET' && uid) return { to: `/user/${uid}?panel=pin`, label: 'ตั้ง PIN' }
  if (code === 'WALLET_BALANCE_TOO_LOW') return { to: '/wallet', label: 'เติมเงิน' }
  // Accounts that have proven nothing are counted as guests. They go on when they have proven their address.
  if (code === 'GUEST_LIMIT_REACHED' || code === 'STOCK_FOR_KNOWN')
    return uid ? { to: `/user/${uid}`, label: 'ยืนยันอีเมล' } : { to: '/login', label: 'เข้าสู่ระบบ' }
  return null
}

function wordsOf(error: Error): string {
  if (error instanceof NotRead) return error.message
  return isUnanswered(error) ? 'สร้างรายการไม่สำเร็จ กรุณาลองอีกครั้ง' : messageOf(error)
}

interface NoticeProps {
  error: Error | null
  newPriceSatang: number | null
  /** The page on which the selection is changed; left out on that page itself. */
  back?: string
  className?: string
}

/** Says within the page why the selection can't be ordered as it is. */
export function PlacingNotice({ error, newPriceSatang, back, className = 'mt-3' }: NoticeProps) {
  const { me } = useSession()
  if (newPriceSatang !== null) {
    return (
      <Note className={className} kind="warn" role="alert">
        {`ราคาเปลี่ยนเป็น ฿${formatBaht(newPriceSatang)} แล้ว กรุณาตรวจสอบยอดรวมอีกครั้งก่อนดำเนินการต่อ`}
      </Note>
    )
  }
  if (!error) return null
  const code = error instanceof AppError ? error.code : 'INTERNAL'
  const way = findWayOn(code, back, me?.uid ?? null)
  return (
    <Note
      className={className}
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
      {wordsOf(error)}
    </Note>
  )
}
