import type { getCosts } from '@shop/shared/cost/endpoints.ts'
import type { Reply } from '@shop/shared/endpoint.ts'
import { supplierLabel } from '@shop/shared/provider-names.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { NothingFound } from '../ui/nothing-found.tsx'

type List = Reply<typeof getCosts>['lists'][number]

function stateOf({ readAt, failedAt, doubtedAt }: List): { text: string; tone: string } {
  if (doubtedAt) return { text: 'สินค้าหายไปเกินครึ่ง รอดึงอีกครั้งก่อนเชื่อ', tone: 'is-warn' }
  if (failedAt) return { text: 'ดึงไม่สำเร็จ ใช้ข้อมูลเดิม', tone: 'is-bad' }
  return readAt ? { text: 'ล่าสุดแล้ว', tone: 'is-ok' } : { text: 'ยังไม่เคยดึง', tone: '' }
}

/** How fresh the list of each supplier is. */
export function ListsCard({ lists }: { lists: readonly List[] }) {
  return (
    <section className="card" aria-label="รายการสินค้าของผู้จำหน่าย">
      <header>
        <h2 className="grow">รายการสินค้าของผู้จำหน่าย</h2>
        <span className="note muted">ดึงทุก 15 นาที</span>
      </header>
      {lists.length === 0 && <NothingFound text="ยังไม่เคยดึงรายการสินค้า" />}
      {lists.map(list => {
        const { text, tone } = stateOf(list)
        return (
          <div key={list.supplier} className="card-part row">
            <span className="grow">
              <b className="strong">{supplierLabel(list.supplier)}</b>{' '}
              <span className="number">
                {list.readAt ? `${list.products.toLocaleString('en-US')} สินค้า` : 'ไม่ทราบจำนวนสินค้า'}
              </span>
              <div className="note muted">
                {list.readAt ? `อ่านครบเมื่อ ${formatDateTimeSeconds(list.readAt)}` : 'ยังไม่เคยอ่านครบ'}
              </div>
            </span>
            <span className={`tag ${tone}`}>{text}</span>
          </div>
        )
      })}
    </section>
  )
}
