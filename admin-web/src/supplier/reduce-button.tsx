import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { type DeliveryView, reduceDelivery } from '@shop/shared/supplier/endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App, Button, Modal } from 'antd'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { isSentOn } from '../ui/sent-on.ts'

/** Ends an order with the pieces that came, after a question that says what goes back. */
export function ReduceButton(props: { orderNo: string; delivery: DeliveryView; onChanged: () => void }) {
  const { orderNo, delivery, onChanged } = props
  const { quantity, broughtPieces, reduction } = delivery
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  /** The pieces that had come when the question was opened: what its reader agrees to. */
  const [asked, setAsked] = useState<{ broughtPieces: number; text: string } | null>(null)
  const reduce = useMutation({
    mutationFn: (broughtPieces: number) => client.call(reduceDelivery, { body: { orderNo, broughtPieces } }),
    onSuccess: () => {
      setAsked(null)
      message.success(`คืนเงินส่วนที่เหลือของ ${orderNo} แล้ว`)
      return queries.invalidateQueries()
    },
    onError: error => isSentOn(error) && setAsked(null),
    onSettled: onChanged,
  })
  const open = () => {
    if (!reduction) return
    reduce.reset()
    const back = `${formatBaht(reduction.backSatang)} บาท`
    const text = `ส่งแล้ว ${broughtPieces} จาก ${quantity} ชิ้น คืน ${reduction.missingPieces} ชิ้น ${back} เข้ากระเป๋าเงินของตัวแทน แล้วปิดคำสั่งซื้อว่าสำเร็จ ส่วนที่เหลือจะไม่ซื้ออีก`
    setAsked({ broughtPieces, text })
  }
  return (
    <>
      <Button danger onClick={open}>
        คืนเงินส่วนที่เหลือ…
      </Button>
      {asked && (
        <Modal
          open
          title={`คืนเงินส่วนที่เหลือของ ${orderNo}?`}
          okText="คืนเงินส่วนที่เหลือ"
          okButtonProps={{ danger: true }}
          cancelText="ปิด"
          cancelButtonProps={{ disabled: reduce.isPending }}
          confirmLoading={reduce.isPending}
          mask={{ closable: false }}
          closable={!reduce.isPending}
          keyboard={!reduce.isPending}
          onOk={() => reduce.mutate(asked.broughtPieces)}
          onCancel={() => setAsked(null)}
        >
          <FailureNote
            title={reduce.error && !reduce.isPending ? 'คืนเงินไม่สำเร็จ' : null}
            text={reduce.error && messageOf(reduce.error)}
          />
          <p>{asked.text}</p>
        </Modal>
      )}
    </>
  )
}
