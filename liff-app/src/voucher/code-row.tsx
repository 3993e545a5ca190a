import type { OrderCodes } from '@shop/shared/order/codes.ts'
import type { ShownCode } from '@shop/shared/voucher/reveal-endpoints.ts'
import { formatDateTime, formatDay } from '@shop/web/dates.ts'
import { Eye, EyeOff } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import { CodeText } from './code-text.tsx'

interface RowProps {
  /** "รหัสที่ 2", or "รหัส" for the only one. */
  name: string
  row: OrderCodes['rows'][number]
  /** The code itself, once its buyer wanted to see it. */
  shown: ShownCode | undefined
  busy: boolean
  /** null while something else must come first. */
  onShow: (() => void) | null
  onHide: () => void
}

/** One code: covered until its buyer asks for it. */
export function CodeRow({ name, row, shown, busy, onShow, onHide }: RowProps) {
  const seenAt = shown?.revealedAt ?? row.revealedAt
  const seenOn = shown?.revealedOn ?? row.revealedOn
  return (
    <li className="border-line border-t py-3 first:border-t-0">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="text-ink-2 text-small">{name}</p>
        {shown ? (
          <Button kind="quiet" size="inline" icon={<EyeOff size={18} />} aria-label={`ซ่อน ${name}`} onClick={onHide}>
            ซ่อน
          </Button>
        ) : (
          onShow && (
            <Button
              kind="tint"
              size="small"
              icon={<Eye size={18} />}
              busy={busy}
              busyLabel="กำลังเปิด"
              aria-label={`แสดงรหัส ${name}`}
              onClick={onShow}
            >
              แสดงรหัส
            </Button>
          )
        )}
      </div>
      {shown ? (
        <Open name={name} shown={shown} />
      ) : (
        <p translate="no" aria-hidden="true" className="font-mono text-ink-3 text-section tracking-wider">
          •••• •••• ••••
        </p>
      )}
      {seenAt && (
        <p className="mt-1 text-ink-2 text-note">
          ดูครั้งแรกเมื่อ {formatDateTime(seenAt)}
          {seenOn && ` บน ${seenOn}`}
        </p>
      )}
    </li>
  )
}

function Open({ name, shown: { code, pin, serial, expiresOn, region } }: { name: string; shown: ShownCode }) {
  const facts: Fact[] = [
    ...(serial ? [{ label: 'Serial', value: <span className="break-all">{serial}</span> }] : []),
    ...(region ? [{ label: 'ใช้ได้กับโซน', value: region }] : []),
    ...(expiresOn ? [{ label: 'ใช้ได้ถึง', value: formatDay(expiresOn) }] : []),
  ]
  return (
    <div className="mt-1 grid gap-2">
      <Secret label="รหัส" what={name} text={code} />
      {pin && <Secret label="PIN" what={`PIN ของ ${name}`} text={pin} />}
      {facts.length > 0 && <Facts facts={facts} />}
    </div>
  )
}

const Secret = ({ label, what, text }: { label: string; what: string; text: string }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-control bg-canvas px-3.5 py-2">
    <p className="min-w-0">
      <span className="block text-ink-2 text-note">{label}</span>
      <CodeText code={text} />
    </p>
    <CopyButton text={text} label={`คัดลอก ${what}`} isSecret />
  </div>
)
