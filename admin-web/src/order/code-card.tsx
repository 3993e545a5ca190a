import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { formatDateTime, formatDay } from '@shop/web/dates.ts'
import { Button } from 'antd'
import { useState } from 'react'

/** So many codes are listed at first. */
const FEW = 10

type Code = NonNullable<StaffOrderView['codes']>[number]

/** "ดูแล้วเมื่อ 20/11/2026 14:05 บน iPhone · LINE · 2 ครั้ง": whether its buyer has seen a code. */
function seenText({ revealedAt, revealedOn, reveals }: Code): string {
  if (!revealedAt) return 'ลูกค้ายังไม่ได้ดู'
  return [
    `ดูแล้วเมื่อ ${formatDateTime(revealedAt)}`,
    revealedOn && ` บน ${revealedOn}`,
    reveals > 1 && ` · ดู ${reveals} ครั้ง`,
  ]
    .filter(Boolean)
    .join('')
}

/** The codes that an order has got, by their ends alone, and when its buyer first saw each. */
export function CodeCard({ order: { codes, quantity } }: { order: StaffOrderView }) {
  const [isWhole, setWhole] = useState(false)
  if (!codes) return null
  const listed = isWhole ? codes : codes.slice(0, FEW)
  return (
    <section className="card-part" aria-label="รหัส" style={{ borderTop: '1px solid var(--line)' }}>
      <h3 className="note muted" style={{ marginBottom: 4 }}>
        รหัส {codes.length}/{quantity}
      </h3>
      {codes.length === 0 && <p className="small muted">ยังไม่มีรหัสที่ส่งแล้ว</p>}
      <ul className="checks">
        {listed.map(code => (
          <li key={code.id} className="small">
            <span>
              ลงท้าย <b className="strong number">{code.lastFour}</b> · {seenText(code)}
              {(code.region || code.expiresOn) && (
                <span className="note muted" style={{ display: 'block' }}>
                  {[code.region && `โซน ${code.region}`, code.expiresOn && `ใช้ได้ถึง ${formatDay(code.expiresOn)}`]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {listed.length < codes.length && (
        <Button type="link" style={{ padding: 0 }} onClick={() => setWhole(true)}>
          ดูอีก {codes.length - listed.length} รหัส
        </Button>
      )}
    </section>
  )
}
