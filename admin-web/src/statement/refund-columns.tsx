import { showPhone } from '@shop/shared/account/account.ts'
import { bankOf } from '@shop/shared/catalogue/banks.ts'
import { formatBaht } from '@shop/shared/money.ts'
import type { OwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { Button, type TableColumnsType } from 'antd'
import { useState } from 'react'
import { Age } from '../account/age.tsx'
import { StaffLink, StatementLineLink } from '../account/staff-link.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Email } from '../ui/email.tsx'
import { TwoLines } from '../ui/two-lines.tsx'
import { Slip } from '../upload/slip.tsx'
import { nameOfAccount, useStatementAccounts } from './account-select.tsx'
import { CreditRefundButton } from './credit-refund-button.tsx'
import { isWaitingForWord, PayeeFacts } from './payee-facts.tsx'

type Columns = TableColumnsType<OwedRefund>

const amount: Columns[number] = {
  title: 'จำนวนเงิน (บาท)',
  align: 'right',
  width: 126,
  render: (_, { amountSatang }) => <span className="number strong">{formatBaht(amountSatang)}</span>,
}

const owner: Columns[number] = {
  title: 'คืนให้',
  width: 165,
  render: (_, { person, payer }) => {
    const { bankCode = null, account = null, name = null } = payer ?? {}
    const origin = [bankCode && bankOf(bankCode).niceName, account, name].filter(Boolean).join(' ')
    return (
      <>
        <div className="strong">{person.name ?? <span className="muted">ไม่ทราบชื่อ</span>}</div>
        {person.email && (
          <div className="note muted breakable">
            <Email>{person.email}</Email>
          </div>
        )}
        {person.phone && <div className="note muted number">{showPhone(person.phone)}</div>}
        {origin && <div className="note muted breakable">โอนมาจาก {origin}</div>}
      </>
    )
  },
}

const cause: Columns[number] = {
  title: 'เหตุผลและที่มา',
  render: (_, { reason, orderNo, lineId }) => (
    <>
      <div className="breakable">{reason}</div>
      {orderNo && (
        <div>
          <StaffLink page="orderDetails" className="number" to={`/management/details/${orderNo}`}>
            {orderNo}
          </StaffLink>
        </div>
      )}
      {lineId && (
        <StatementLineLink id={lineId}>
          ดูรายการธนาคาร<span className="sr-only"> ของ {orderNo ?? 'เงินนี้'}</span>
        </StatementLineLink>
      )}
    </>
  ),
}

const payee: Columns[number] = {
  title: 'บัญชีรับเงิน',
  width: 240,
  render: (_, refund) => <PayeeFacts refund={refund} />,
}

/** The page on which the buyer of an order says where the money is to be sent. */
const pageForBuyer = (orderNo: string) => `${import.meta.env.VITE_STOREFRONT_URL}/purchase/details/${orderNo}`

const payeeToEdit = (onEdit: (refund: OwedRefund) => void): Columns[number] => ({
  ...payee,
  render: (_, refund) => (
    <>
      <PayeeFacts refund={refund} />
      <div className="row">
        {refund.fromCredit ? (
          <span className="note muted">เจ้าของเปลี่ยนเองในหน้าเครดิตร้าน</span>
        ) : (
          <Button type="link" size="small" style={{ padding: 0 }} onClick={() => onEdit(refund)}>
            {refund.payee ? 'แก้ไข' : 'กรอกแทนลูกค้า'}
            <span className="sr-only"> บัญชีรับเงินของ {refund.orderNo ?? refund.reason}</span>
          </Button>
        )}
        {!refund.payee && refund.orderNo && (
          <CopyButton text={pageForBuyer(refund.orderNo)} what={`ให้ลูกค้าแจ้งบัญชี ${refund.orderNo}`} label="คัดลอกลิงก์" />
        )}
      </div>
    </>
  ),
})

const waited = (now: string): Columns[number] => ({
  title: 'รอมาแล้ว',
  width: 144,
  render: (_, { createdAt }) => (
    <TwoLines note={<span className="number">{formatDateTimeSeconds(createdAt)}</span>}>
      <Age kind="refunds" since={createdAt} now={now} />
    </TwoLines>
  ),
})

interface ToDo {
  onEdit: (refund: OwedRefund) => void
  onAgree: (refund: OwedRefund) => void
  onSend: (refund: OwedRefund) => void
}

const actButton = ({ onAgree, onSend }: ToDo): Columns[number] => ({
  title: <span className="sr-only">จัดการ</span>,
  width: 140,
  render: (_, refund) =>
    refund.asCredit ? (
      <CreditRefundButton refund={refund} />
    ) : isWaitingForWord(refund) ? (
      <Button
        aria-label={`ขอยืนยัน บัญชีรับเงิน ฿${formatBaht(refund.amountSatang)} ${refund.orderNo ?? ''}`.trim()}
        onClick={() => onAgree(refund)}
      >
        ขอยืนยัน…
      </Button>
    ) : (
      <Button
        disabled={refund.payee === null}
        aria-label={`บันทึกว่า โอนคืนแล้ว ฿${formatBaht(refund.amountSatang)} ${refund.orderNo ?? ''}`.trim()}
        onClick={() => onSend(refund)}
      >
        โอนคืนแล้ว…
      </Button>
    ),
})

const sentAt: Columns[number] = {
  title: 'โอนคืนเมื่อ',
  width: 220,
  render: (_, { sent }) => sent && <Sent sent={sent} />,
}

function Sent({ sent }: { sent: NonNullable<OwedRefund['sent']> }) {
  const [isOpen, setOpen] = useState(false)
  const account = useStatementAccounts().data?.find(({ id }) => id === sent.receivingAccountId)
  const by = `โดย ${sent.byName ?? 'ไม่ทราบชื่อ'}`
  const facts =
    sent.receivingAccountId === null
      ? [sent.byName ? by : 'ลูกค้าเลือกรับเอง', 'เครดิตร้าน']
      : [by, account && `จาก ${nameOfAccount(account)}`, `อ้างอิง ${sent.reference}`]
  return (
    <>
      <TwoLines note={facts.filter(Boolean).join(' · ')}>
        <span className="number small">{formatDateTimeSeconds(sent.at)}</span>
      </TwoLines>
      {sent.slipId && !isOpen && (
        <Button type="link" size="small" style={{ padding: 0 }} onClick={() => setOpen(true)}>
          ดูสลิปการโอน
        </Button>
      )}
      {sent.slipId && isOpen && <Slip slipId={sent.slipId} />}
    </>
  )
}

/** The columns of what is owed, for those who only look. */
export const owedColumns = (now: string): Columns => [waited(now), amount, owner, payee, cause]

/** The columns of what is owed, for those who send it. */
export const columnsToSend = (now: string, toDo: ToDo): Columns => [
  waited(now),
  amount,
  owner,
  payeeToEdit(toDo.onEdit),
  cause,
  actButton(toDo),
]

export const sentColumns: Columns = [sentAt, amount, owner, payee, cause]
