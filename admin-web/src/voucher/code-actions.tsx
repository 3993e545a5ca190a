import { messageOf } from '@shop/shared/errors.ts'
import {
  returnVouchers,
  seeVoucher,
  type VoucherBatch,
  type VoucherView,
  withdrawVouchers,
} from '@shop/shared/voucher/endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Button, Modal } from 'antd'
import { useClient } from '../account/session.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Facts } from '../ui/facts.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'
import { count } from './counts.tsx'
import './voucher.css'

/** What staff do with codes that nobody has bought. */
export type CodeStep = { do: 'withdraw' | 'return'; of: VoucherView | VoucherBatch } | { do: 'see'; of: VoucherView }

export const nameOf = (of: VoucherView | VoucherBatch): string =>
  'lastFour' in of ? `รหัสลงท้าย ${of.lastFour}` : `ชุด ${of.name}`

const whichOf = (of: VoucherView | VoucherBatch) => ('lastFour' in of ? { id: of.id } : { batchId: of.id })

/** Asks for the reason of a step, and carries it out. */
export function CodeStepDialog({ step, onClose }: { step: CodeStep; onClose: () => void }) {
  return step.do === 'see' ? <See code={step.of} onClose={onClose} /> : <Move {...step} onClose={onClose} />
}

const MOVE = {
  withdraw: {
    call: withdrawVouchers,
    title: 'ถอนออกจากการขาย',
    done: 'ถอนแล้ว',
    means: 'รหัสที่พร้อมขายจะไม่ถูกขาย จนกว่าจะคืนเข้าสต็อก',
  },
  return: { call: returnVouchers, title: 'คืนเข้าสต็อก', done: 'คืนเข้าสต็อกแล้ว', means: 'รหัสจะพร้อมขายอีกครั้ง' },
} as const

function Move(props: { do: keyof typeof MOVE; of: VoucherView | VoucherBatch; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const { call, title, done, means } = MOVE[props.do]
  const move = useMutation({
    mutationFn: (reason: string) => client.call(call, { body: { of: whichOf(props.of), reason } }),
    onSuccess: ({ pieces }) => {
      message.success(`${done} ${count(pieces)} รหัส`)
      props.onClose()
      return queries.invalidateQueries()
    },
  })
  return (
    <ReasonDialog
      title={`${title}: ${nameOf(props.of)}`}
      label="เหตุผล"
      okText={title}
      maxLength={300}
      isDanger={props.do === 'withdraw'}
      isBusy={move.isPending}
      failure={move.error && messageOf(move.error)}
      onSubmit={reason => move.mutate(reason)}
      onClose={props.onClose}
    >
      <p>{means}</p>
    </ReasonDialog>
  )
}

/** Shows one whole code as long as the dialog is open; it is kept nowhere else. */
function See({ code, onClose }: { code: VoucherView; onClose: () => void }) {
  const client = useClient()
  const see = useMutation({
    mutationFn: (reason: string) => client.call(seeVoucher, { body: { id: code.id, reason } }),
    gcTime: 0,
  })
  if (see.data) return <WholeCode {...see.data} title={nameOf(code)} onClose={onClose} />
  return (
    <ReasonDialog
      title={`ดูรหัสทั้งหมด: ${nameOf(code)}`}
      label="เหตุผลที่ต้องดู"
      okText="ดูรหัส"
      maxLength={300}
      isBusy={see.isPending}
      failureTitle="ดูรหัสไม่ได้"
      failure={see.error && messageOf(see.error)}
      onSubmit={reason => see.mutate(reason)}
      onClose={onClose}
    >
      <p>ร้านบันทึกว่าใครดู เมื่อไร และเหตุผล แล้วแจ้งผู้ดูแลระบบทุกครั้ง</p>
    </ReasonDialog>
  )
}

function WholeCode(props: {
  title: string
  code: string
  pin: string | null
  serial: string | null
  onClose: () => void
}) {
  const { title, code, pin, serial, onClose } = props
  const shown = (text: string, what: string) => (
    <span className="whole-code">
      <span className="code-text">{text}</span>
      <CopyButton text={text} what={what} />
    </span>
  )
  return (
    <Modal open title={title} onCancel={onClose} footer={<Button onClick={onClose}>ปิด</Button>}>
      <Facts
        facts={[
          ['รหัส', shown(code, 'รหัส')],
          pin !== null && ['PIN', shown(pin, 'PIN')],
          serial !== null && ['ซีเรียล', shown(serial, 'ซีเรียล')],
        ]}
      />
    </Modal>
  )
}
