import { showPhone } from '@shop/shared/account/account.ts'
import { PAYMENT_METHOD } from '@shop/shared/catalogue/catalogue.ts'
import { unitPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { orderNo as orderNoShape } from '@shop/shared/order/own-endpoints.ts'
import type { StaffOrderView } from '@shop/shared/order/staff-endpoints.ts'
import { ORDER_STATUS } from '@shop/shared/order/status.ts'
import { can } from '@shop/shared/permissions.ts'
import { STAFF_PAGE } from '@shop/shared/staff-pages.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Button, Skeleton, Table } from 'antd'
import { ArrowLeft } from 'lucide-react'
import { useNavigate, useParams } from 'react-router-dom'
import { useMe } from '../account/session.tsx'
import { DeliveryCard } from '../supplier/delivery-card.tsx'
import { Email } from '../ui/email.tsx'
import { type Fact, Facts } from '../ui/facts.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { NotFoundScreen } from '../ui/not-found-screen.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useWayBack } from './details-link.tsx'
import { HoldCard } from './hold-card.tsx'
import { OrderActions } from './order-actions.tsx'
import { Evidence, PlayerFacts } from './order-facts.tsx'
import { useOrder } from './order-panel.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import { ReceiptButton } from './receipt-button.tsx'
import { RedoCard } from './redo-card.tsx'
import { StatusTag } from './status-tag.tsx'

/** One order on a page of its own. */
export function DetailsScreen() {
  const { orderNo = '' } = useParams()
  return orderNoShape.safeParse(orderNo).success ? <Details orderNo={orderNo} /> : <NotFoundScreen />
}

function Details({ orderNo }: { orderNo: string }) {
  const navigate = useNavigate()
  const wayBack = useWayBack()
  const { role } = useMe()
  const { data: order, error, refetch } = useOrder(orderNo)
  return (
    <>
      <PageHead title={`คำสั่งซื้อ ${orderNo}`}>
        {order && <StatusTag status={order.status} />}
        {order && can(role, 'order.work') && <ReceiptButton orderNo={orderNo} />}
        {can(role, STAFF_PAGE.history.allow) && (
          <Button icon={<ArrowLeft size={16} aria-hidden />} onClick={() => navigate(wayBack)}>
            กลับไปประวัติคำสั่งซื้อ
          </Button>
        )}
      </PageHead>
      {!order && (
        <div className="card">
          {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton active className="card-part" />}
        </div>
      )}
      {order && (
        <div className="details">
          <div className="stack">
            <section className="card" aria-label="การเติม">
              <header>
                <h2>
                  {order.game.name} · {order.package.name}
                </h2>
              </header>
              <PlayerFacts order={order} />
              <HoldCard order={order} />
              <RedoCard order={order} />
              <DeliveryCard orderNo={order.orderNo} delivery={order.delivery} onChanged={() => refetch()} />
              <Evidence order={order} />
              <OrderActions order={order} />
            </section>
            <Items order={order} />
          </div>
          <div className="stack">
            <section className="card">
              <header>
                <h2>ข้อมูลคำสั่งซื้อ</h2>
              </header>
              <div className="card-part">
                <OrderFacts order={order} />
              </div>
            </section>
            <section className="card">
              <header>
                <h2>ความเคลื่อนไหว</h2>
              </header>
              <div className="card-part">
                <OrderTimeline order={order} />
              </div>
            </section>
          </div>
        </div>
      )}
    </>
  )
}

function OrderFacts({ order }: { order: StaffOrderView }) {
  const { buyer, receivingAccount: account } = order
  // Callers who may only look don't get the buyer's contacts; a dash would wrongly say that there are none.
  const mayReach = can(useMe().role, 'order.work')
  const facts: Fact[] = [
    ['เลขที่คำสั่งซื้อ', order.orderNo],
    ['คิวที่', order.queueNo],
    ['วันที่สั่งซื้อ', formatDateTimeSeconds(order.createdAt)],
    ['ชื่อ-นามสกุล', buyer.name],
    mayReach && ['อีเมล', buyer.email && <Email key="email">{buyer.email}</Email>],
    mayReach && ['โทรศัพท์', showPhone(buyer.tel)],
    mayReach && ['LINE ID', buyer.lineId],
    ['Facebook', buyer.hasFacebook && 'เชื่อมบัญชีแล้ว'],
    ['วิธีชำระเงิน', PAYMENT_METHOD[order.payment].name],
    ['ธนาคาร', account && `${account.bankName} ${account.accountNo}`],
    ['วันที่ชำระเงิน', order.paidAt && formatDateTimeSeconds(order.paidAt)],
    ['สถานะ', ORDER_STATUS[order.status].label],
    ['ข้อกำหนด', `ฉบับที่ ${order.termsVersion} ยอมรับเมื่อ ${formatDateTimeSeconds(order.termsAcceptedAt)}`],
    ['เหตุผลล่าสุด', order.reason],
  ]
  return <Facts facts={facts} />
}

function Items({ order }: { order: StaffOrderView }) {
  const { package: sold, quantity, priceSatang, tailSatang, amountSatang } = order
  return (
    <section className="card" aria-label="รายการสินค้า">
      <Table
        rowKey="id"
        pagination={false}
        dataSource={[sold]}
        scroll={{ x: 520 }}
        columns={[
          { title: 'ลำดับ', width: 56, render: () => 1 },
          { title: 'รหัสแพ็กเกจ', dataIndex: 'id', width: 110 },
          { title: 'รายละเอียด', dataIndex: 'name' },
          { title: 'จำนวน', align: 'right', render: () => quantity },
          {
            title: 'ราคาต่อหน่วย',
            align: 'right',
            render: () => <span className="number">{formatBaht(unitPriceOf(order))}</span>,
          },
          { title: 'รวม', align: 'right', render: () => <span className="number">{formatBaht(priceSatang)}</span> },
        ]}
      />
      <div className="card-part">
        <Facts
          facts={[
            tailSatang > 0 && ['เศษสตางค์สำหรับตรวจยอด', formatBaht(tailSatang)],
            ['ยอดรวมทั้งหมด', <b key="total">฿{formatBaht(amountSatang)}</b>],
          ]}
        />
      </div>
    </section>
  )
}
