import { bankOfPayee, payeeEndText } from '@shop/shared/order/payee.ts'
import type { OwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { CopyButton } from '../ui/copy-button.tsx'

/** The account that owed money goes to: the whole of it to copy, for those who send it, else its last digits. */
export function PayeeFacts({ refund }: { refund: OwedRefund }) {
  const { payee, payeeEnd, payeeByName, asCredit } = refund
  if (asCredit) return <span className="tag is-accent">เครดิตร้าน</span>
  if (!payeeEnd) return <span className="tag is-warn">รอลูกค้าแจ้งบัญชี</span>
  if (!payee) return <span className="number">{payeeEndText(payeeEnd)}</span>
  return (
    <>
      <div className="row">
        <span className="grow">
          {bankOfPayee(payee)} <b className="strong number">{payee.accountNo}</b>
        </span>
        <CopyButton text={payee.accountNo} what={`เลขที่บัญชี ${payee.accountNo}`} />
      </div>
      <div className="note muted breakable">
        {payee.accountName}
        {payeeByName && ` · ${payeeByName} บันทึกแทนลูกค้า`}
      </div>
    </>
  )
}
