import { messageOf } from '@shop/shared/errors.ts'
import type { OrderCodes } from '@shop/shared/order/codes.ts'
import type { OrderView } from '@shop/shared/order/endpoints.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import type { ShownCode } from '@shop/shared/voucher/reveal-endpoints.ts'
import { Eye } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ContactLink } from '../settings/contact-link.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Note } from '../ui/note.tsx'
import { Problem } from '../ui/problem.tsx'
import { AddressForm, NumberForm } from './by-mail.tsx'
import { CodePinSheet } from './code-pin-sheet.tsx'
import { CodeRow } from './code-row.tsx'
import { useReveal } from './use-reveal.ts'

/** So many codes are drawn at first. */
const FEW = 20

interface CardProps {
  order: OrderView
  codes: OrderCodes
  /** The link to the sign-in, for a member's order that is opened without an account. */
  signIn: ReactNode
  onChanged: () => void
}

/** The codes of an order: how many have come, and each of them once its buyer asks to see it. */
export default function CodesCard({ order, codes, signIn, onChanged }: CardProps) {
  const { opening, address, canGiveAddress, rows } = codes
  const { shown, redeemHelp, hasNumber, reveal, hide } = useReveal(order, onChanged)
  const [isWhole, setWhole] = useState(false)
  // Those that are to open once the PIN was typed; null while the sheet is closed.
  const [asking, setAsking] = useState<string[] | null>(null)
  const asksPin = opening === 'pin'
  const canShow = opening === 'press' || asksPin || (opening === 'mail' && hasNumber)
  const show = (ids: string[]) => {
    if (reveal.isPending) return
    reveal.reset()
    if (asksPin) setAsking(ids)
    else reveal.mutate({ ids })
  }
  const drawn = isWhole ? rows : rows.slice(0, FEW)
  const hidden = rows.filter(({ id }) => !shown.has(id)).map(({ id }) => id)
  const isBusy = (id: string) => reveal.isPending && reveal.variables.ids.includes(id)
  return (
    <section aria-labelledby="codes" className="mt-4 rounded-card border border-line p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id="codes" className="text-section">
          รหัสของคุณ
        </h2>
        <Came order={order} count={rows.length} />
      </div>
      {opening === 'signIn' && (
        <Note className="mt-2" action={signIn}>
          เข้าสู่ระบบด้วยบัญชีที่สั่งซื้อเพื่อดูรหัส
        </Note>
      )}
      {opening === 'elsewhere' && (
        <Note className="mt-2">
          ลิงก์นี้ใช้ดูรหัสไม่ได้ กรุณาเปิดคำสั่งซื้อบนเครื่องและเบราว์เซอร์ที่สั่งซื้อ หากเปิดไม่ได้{' '}
          <ContactLink orderNo={order.orderNo}>ติดต่อร้าน</ContactLink>
        </Note>
      )}
      {opening === 'mail' && !hasNumber && rows.length > 0 && (
        <NumberForm
          orderNo={order.orderNo}
          address={address}
          busy={reveal.isPending}
          error={reveal.error}
          onNumber={number => reveal.mutate({ ids: hidden, number })}
        />
      )}
      <Problem className="mt-2">{canShow && !asking && reveal.error && messageOf(reveal.error)}</Problem>
      <ul className="mt-1">
        {drawn.map((row, at) => (
          <CodeRow
            key={row.id}
            name={order.quantity > 1 ? `รหัสที่ ${at + 1}` : 'รหัส'}
            row={row}
            shown={shown.get(row.id)}
            busy={isBusy(row.id)}
            onShow={canShow ? () => show([row.id]) : null}
            onHide={() => hide(row.id)}
          />
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {drawn.length < rows.length && (
          <Button kind="quiet" size="small" onClick={() => setWhole(true)}>
            ดูอีก {rows.length - drawn.length} รหัส
          </Button>
        )}
        {canShow && hidden.length > 1 && (
          <Button kind="secondary" size="small" icon={<Eye size={18} />} onClick={() => show(hidden)}>
            แสดงทั้งหมด
          </Button>
        )}
        {shown.size > 1 && <CopyAll codes={rows.flatMap(({ id }) => shown.get(id) ?? [])} />}
      </div>
      {shown.size > 0 && redeemHelp && (
        <div className="mt-3 rounded-control bg-canvas px-3.5 py-3">
          <h3 className="text-label">วิธีใช้รหัส</h3>
          <p className="whitespace-pre-line text-small">{redeemHelp}</p>
        </div>
      )}
      {rows.length > 0 && <p className="mt-2 text-ink-2 text-note">อย่าส่งรหัสให้ใคร ร้านไม่ขอรหัสจากลูกค้า</p>}
      {canGiveAddress && <AddressForm orderNo={order.orderNo} address={address} onGiven={onChanged} />}
      <CodePinSheet
        open={asking !== null}
        busy={reveal.isPending}
        error={reveal.error}
        onPin={pin => reveal.mutate({ ids: asking ?? [], pin }, { onSuccess: () => setAsking(null) })}
        onClose={() => {
          setAsking(null)
          reveal.reset()
        }}
      />
    </section>
  )
}

/** "ได้แล้ว 3 จาก 5", and what is done about the others. */
function Came({ order: { quantity, status }, count }: { order: OrderView; count: number }) {
  const missing = quantity - count
  if (missing <= 0) return quantity > 1 ? <p className="text-ink-2 text-small">ได้ครบ {quantity} รหัส</p> : null
  return (
    <p role="status" className="text-ink-2 text-small">
      {count > 0 && `ได้แล้ว ${count} จาก ${quantity} `}
      {ORDER_STATUS[status].isRunning && 'กำลังเตรียมรหัส หน้านี้จะเปลี่ยนเอง'}
    </p>
  )
}

/** One code a line, each with its PIN after a blank. */
const CopyAll = ({ codes }: { codes: ShownCode[] }) => (
  <CopyButton
    text={codes.map(({ code, pin }) => [code, pin].filter(Boolean).join(' ')).join('\n')}
    label={`คัดลอก ${codes.length} รหัสที่เปิดอยู่`}
    isSecret
  >
    คัดลอก {codes.length} รหัส
  </CopyButton>
)
