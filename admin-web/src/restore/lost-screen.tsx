import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { closeLostSlip, getLost, type Lost } from '@shop/shared/restore/endpoints.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { formatShort } from '@shop/web/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { StaffLink } from '../account/staff-link.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { Slip } from '../upload/slip.tsx'
import './lost.css'

/** Money that came in the time that a restored database has lost: who paid, how much and when, until its order is found. */
export function LostScreen() {
  const client = useClient()
  const lost = useQuery(client.query(getLost))
  return (
    <>
      <PageHead
        title={STAFF_PAGE.lost.title}
        about="เงินที่เข้ามาในช่วงที่ข้อมูลหายไป หาเจ้าของจากรายการธนาคารและสลิป แล้วเติมหรือคืนเงินให้ครบ"
      />
      <Loaded query={lost} rows={6}>
        {({ from, to, lines, slips }) => (
          <>
            <p className="muted">
              {from && to ? `ข้อมูลหายไปช่วง ${formatShort(from)} ถึง ${formatShort(to)}` : 'ยังไม่เคยกู้ข้อมูล ไม่มีช่วงที่ข้อมูลหายไป'}
            </p>
            <Lines lines={lines} />
            <Slips slips={slips} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Lines({ lines }: Pick<Lost, 'lines'>) {
  return (
    <section aria-label="รายการธนาคารที่ไม่มีคำสั่งซื้อ">
      <h2 className="lost-heading">รายการธนาคารที่ไม่มีคำสั่งซื้อ ({lines.length})</h2>
      {lines.length === 0 && <p className="card card-part muted">ไม่มี ทุกรายการที่นำเข้าแล้วมีเจ้าของ</p>}
      <ul className="lost-list">
        {lines.map(({ id, at, amountSatang, detail, fromBank, fromAccount }) => (
          <li key={id} className="card card-part">
            <b className="number">{formatBaht(amountSatang)} บาท</b>
            <span className="number">{formatShort(at)}</span>
            <span className="grow">
              {[fromBank && bankOf(fromBank).niceName, fromAccount, detail].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {lines.length > 0 && (
        <StaffLink page="statement" to={STAFF_PAGE.statement.path}>
          จับคู่หรือคืนเงิน
        </StaffLink>
      )}
    </section>
  )
}

type FoundSlip = Lost['slips'][number]

function Slips({ slips }: Pick<Lost, 'slips'>) {
  const [closing, setClosing] = useState<FoundSlip | null>(null)
  return (
    <section aria-label="สลิปที่ไม่มีคำสั่งซื้อ">
      <h2 className="lost-heading">สลิปที่ไม่มีคำสั่งซื้อ ({slips.length})</h2>
      {slips.length === 0 && <p className="card card-part muted">ไม่มีสลิปที่รอตรวจ</p>}
      <ul className="lost-list">
        {slips.map(slip => (
          <li key={slip.slipId} className="card card-part">
            <div className="lost-slip">
              <Slip slipId={slip.slipId} />
            </div>
            <div className="grow">
              <p className="number">แนบเมื่อ {formatShort(slip.createdAt)}</p>
              <p className="muted">
                {slip.bankReference
                  ? `${bankOf(slip.sendingBank ?? '').niceName} อ้างอิง ${slip.bankReference}`
                  : 'อ่าน QR บนสลิปไม่ได้'}
              </p>
            </div>
            <Button onClick={() => setClosing(slip)}>จัดการแล้ว…</Button>
          </li>
        ))}
      </ul>
      {closing && <CloseDialog slip={closing} onClose={() => setClosing(null)} />}
    </section>
  )
}

function CloseDialog({ slip: { slipId: id }, onClose }: { slip: FoundSlip; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const close = useMutation({
    mutationFn: (reason: string) => client.call(closeLostSlip, { params: { id }, body: { reason } }),
    onSuccess: async () => {
      message.success('ปิดเรื่องแล้ว')
      onClose()
      await queries.invalidateQueries({ queryKey: client.query(getLost).queryKey })
    },
  })
  return (
    <ReasonDialog
      title="จัดการสลิปนี้แล้ว?"
      okText="ปิดเรื่อง"
      label="ทำอะไรไปแล้ว"
      isBusy={close.isPending}
      failure={close.error && messageOf(close.error)}
      onSubmit={close.mutate}
      onClose={onClose}
    >
      <p className="muted form-alert">เช่น เลขคำสั่งซื้อใหม่ของลูกค้า หรือเลขที่โอนคืน</p>
    </ReasonDialog>
  )
}
