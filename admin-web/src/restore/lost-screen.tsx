import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { closeLostPurchase, closeLostSlip, getLost, type Lost } from '@shop/shared/restore/endpoints.ts'
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
        about="เงินที่เข้ามาและของที่เติมไปในช่วงที่ข้อมูลหาย หาเจ้าของจากรายการธนาคาร สลิป และการซื้อ แล้วเติม คืนเงิน หรือตัดยอดให้ครบ"
      />
      <Loaded query={lost} rows={6}>
        {({ from, to, lines, slips, purchases }) => (
          <>
            <p className="muted">
              {from && to ? `ข้อมูลหายไปช่วง ${formatShort(from)} ถึง ${formatShort(to)}` : 'ยังไม่เคยกู้ข้อมูล ไม่มีช่วงที่ข้อมูลหายไป'}
            </p>
            <Lines lines={lines} />
            <Slips slips={slips} />
            <Purchases purchases={purchases} />
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
      {closing && (
        <CloseDialog
          title="จัดการสลิปนี้แล้ว?"
          example="เช่น เลขคำสั่งซื้อใหม่ของลูกค้า หรือเลขที่โอนคืน"
          endpoint={closeLostSlip}
          id={closing.slipId}
          onClose={() => setClosing(null)}
        />
      )}
    </section>
  )
}

type FoundPurchase = Lost['purchases'][number]

/** What the supplier delivered in the lost time: staff find by the player whose wallet it was. */
function Purchases({ purchases }: Pick<Lost, 'purchases'>) {
  const [closing, setClosing] = useState<FoundPurchase | null>(null)
  return (
    <section aria-label="การซื้อที่ไม่มีคำสั่งซื้อ">
      <h2 className="lost-heading">การซื้อที่ผู้จำหน่ายซึ่งไม่มีคำสั่งซื้อ ({purchases.length})</h2>
      {purchases.length === 0 && (
        <p className="card card-part muted">ไม่มี หากกระเป๋าเงินถูกใช้ในช่วงที่หาย ให้ผู้ดูแลเซิร์ฟเวอร์นำรายการของผู้จำหน่ายเข้า</p>
      )}
      <ul className="lost-list">
        {purchases.map(one => (
          <li key={one.id} className="card card-part">
            <b className="number">
              {one.costSatang === null ? 'ไม่ทราบต้นทุน' : `ต้นทุน ${formatBaht(one.costSatang)} บาท`}
            </b>
            <span className="number">{one.boughtAt ? formatShort(one.boughtAt) : 'ไม่ทราบเวลา'}</span>
            <div className="grow">
              <p>{one.product ?? 'ไม่ทราบสินค้า'}</p>
              <p className="muted lost-words">
                {[one.player && `ผู้เล่น ${one.player}`, `อ้างอิง ${one.reference}`, one.theirId]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </div>
            {one.player && (
              <StaffLink page="history" to={`${STAFF_PAGE.history.path}?${ordersOf(one.player)}`}>
                หาผู้ซื้อจากผู้เล่นนี้
              </StaffLink>
            )}
            <Button onClick={() => setClosing(one)}>จัดการแล้ว…</Button>
          </li>
        ))}
      </ul>
      {closing && (
        <CloseDialog
          title="จัดการการซื้อนี้แล้ว?"
          example="เช่น ตัดยอดกระเป๋าเงินของตัวแทนแล้ว หรือเลขคำสั่งซื้อที่สร้างใหม่"
          endpoint={closeLostPurchase}
          id={closing.id}
          onClose={() => setClosing(null)}
        />
      )}
    </section>
  )
}

const ordersOf = (player: string) => new URLSearchParams({ text: player, month: 'all', status: 'all' })

interface CloseDialogProps {
  title: string
  example: string
  endpoint: typeof closeLostSlip | typeof closeLostPurchase
  id: string
  onClose: () => void
}

function CloseDialog({ title, example, endpoint, id, onClose }: CloseDialogProps) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const close = useMutation({
    mutationFn: (reason: string) => client.call(endpoint, { params: { id }, body: { reason } }),
    onSuccess: async () => {
      message.success('ปิดเรื่องแล้ว')
      onClose()
      await queries.invalidateQueries({ queryKey: client.query(getLost).queryKey })
    },
  })
  return (
    <ReasonDialog
      title={title}
      okText="ปิดเรื่อง"
      label="ทำอะไรไปแล้ว"
      isBusy={close.isPending}
      failure={close.error && messageOf(close.error)}
      onSubmit={close.mutate}
      onClose={onClose}
    >
      <p className="muted form-alert">{example}</p>
    </ReasonDialog>
  )
}
