import { bankOfPayee, payeeEndText } from '@shop/shared/order/payee.ts'
import { PAYEE_FIT } from '@shop/shared/order/payer.ts'
import type { OwedRefund } from '@shop/shared/statement/refund-endpoints.ts'
import { CopyButton } from '../ui/copy-button.tsx'

/** The account that owed money goes to: the whole of it to copy, for those who send it, else its last digits. */
export function PayeeFacts({ refund }: { refund: OwedRefund }) {
  const { payee, payeeEnd, payeeByName, asCredit, sent } = refund
  if (asCredit) return <span className="tag is-accent">เครดิตร้าน</span>
  // Refunds that were sent before accounts were kept have none.
  if (!payeeEnd && sent) return <span className="muted">ไม่ได้บันทึกบัญชีไว้</span>
  if (!payeeEnd) return <span className="tag is-warn">รอลูกค้าแจ้งบัญชี</span>
  if (!payee)
    return (
      <>
        <div className="number">{payeeEndText(payeeEnd)}</div>
        <PayeeMarks refund={refund} />
      </>
    )
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
      <PayeeMarks refund={refund} />
    </>
  )
}

const AGREED_AS = { second: 'ยืนยันแล้ว', alone: 'ยืนยันคนเดียว (ร้านไม่มีคนที่สอง)', slip: 'เทียบกับสลิปแล้ว' } as const

/** How the account stands to the one that paid, why its owner wants it there, and who agreed. */
function PayeeMarks({ refund: { payeeFit, payeeReason, payeeAgreed, payeeOthers } }: { refund: OwedRefund }) {
  if (!payeeFit) return null
  const { label, takesWord } = PAYEE_FIT[payeeFit]
  return (
    <>
      <div>
        <span className={`tag ${takesWord ? 'is-warn' : 'is-ok'}`}>{label}</span>
        {takesWord && payeeAgreed && (
          <span className="note muted">
            {' '}
            {AGREED_AS[payeeAgreed.as]} โดย {payeeAgreed.byName ?? 'ไม่ทราบชื่อ'}
          </span>
        )}
      </div>
      {payeeReason && <div className="note muted breakable">เหตุผลของลูกค้า: {payeeReason}</div>}
      {payeeOthers > 0 && <div className="note muted">บัญชีนี้เคยใช้กับผู้ซื้ออื่น {payeeOthers} ราย</div>}
    </>
  )
}

/** Tells whether somebody has to agree before money is sent there. */
export const isWaitingForWord = ({ payee, payeeFit, payeeAgreed, asCredit }: OwedRefund): boolean =>
  !asCredit && payee !== null && payeeFit !== null && PAYEE_FIT[payeeFit].takesWord && payeeAgreed === null
