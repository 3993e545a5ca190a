import type { ResellerKeyView } from '@shop/shared/reseller/key-endpoints.ts'
import { KEY_SCOPE } from '@shop/shared/reseller/reseller.ts'
import { formatDateTime, formatShort } from '@shop/web/dates.ts'
import { Check } from 'lucide-react'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'

/** A key that works: what it may do, and what was done with it. */
export const KeyCard = ({ view, onEnd }: { view: ResellerKeyView; onEnd: () => void }) => (
  <li aria-label={view.name} className="@container flex flex-col gap-3 rounded-card border border-line p-4">
    <div>
      <h3 className="wrap-anywhere font-semibold">{view.name}</h3>
      <div className="flex flex-wrap items-center justify-between gap-x-2">
        <span className="wrap-anywhere font-mono text-ink-2 text-note">{view.id}</span>
        <span className="-mr-3.5 ml-auto">
          <CopyButton kind="quiet" showIcon={false} text={view.id} label={`คัดลอก รหัสของคีย์ ${view.name}`} />
        </span>
      </div>
    </div>
    <Spent view={view} />
    <ul aria-label="คีย์นี้ทำอะไรได้" className="grid gap-1 text-value">
      {view.scopes.map(scope => (
        <li key={scope} className="flex gap-2">
          <Check size={18} className="mt-[0.2em] flex-none text-ok" />
          {KEY_SCOPE[scope].label}
        </li>
      ))}
    </ul>
    <Facts facts={factsOf(view)} />
    <div className="-mb-2 mt-auto -ml-3.5">
      <Button kind="destructive" size="small" aria-label={`ยกเลิกคีย์ ${view.name}`} onClick={onEnd}>
        ยกเลิกคีย์
      </Button>
    </div>
  </li>
)

/** Today's spending, against the limit if there is one. */
function Spent({ view: { today, dailyLimitSatang: limit, mode } }: { view: ResellerKeyView }) {
  const share = limit === null ? 0 : Math.min(1, today.spentSatang / limit)
  return (
    <div className="rounded-control bg-canvas px-3.5 py-2.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-ink-2 text-small">ใช้วันนี้{mode === 'test' && ' (เงินจำลอง)'}</span>
        <span className="ml-auto text-ink-2 text-small">
          <Amount satang={today.spentSatang} className="font-semibold text-ink text-section" />{' '}
          {limit === null ? (
            'ไม่จำกัดวงเงิน'
          ) : (
            <>
              จาก <Amount satang={limit} />
            </>
          )}
        </span>
      </p>
      {limit !== null && (
        <div aria-hidden="true" className="mt-1.5 h-1 overflow-hidden rounded-full bg-card">
          <div className="bar-fill h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  )
}

const count = (times: number) => times.toLocaleString('en-US')

const factsOf = (view: ResellerKeyView): Fact[] => [
  {
    label: 'ใช้ได้จาก',
    value:
      view.addresses.length === 0
        ? 'ทุกที่'
        : view.addresses.map(address => (
            <span key={address} className="wrap-anywhere block">
              {address}
            </span>
          )),
  },
  {
    label: 'ใช้ล่าสุด',
    value: view.lastUsedAt ? formatShort(view.lastUsedAt) : 'ยังไม่เคยใช้',
    note: view.lastUsedFrom && <span className="wrap-anywhere">จาก {view.lastUsedFrom}</span>,
  },
  {
    label: 'เรียกใน 30 วัน',
    value: `${count(view.month.calls)} ครั้ง`,
    note: view.month.errors > 0 && `ไม่สำเร็จ ${count(view.month.errors)} ครั้ง`,
  },
  { label: 'สร้างเมื่อ', value: formatDateTime(view.createdAt) },
]
