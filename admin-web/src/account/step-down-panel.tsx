import { stepDown } from '@shop/shared/account/rank-endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { FailureNote } from '../ui/failure-note.tsx'
import type { PanelProps } from './panel.ts'
import { useClient } from './session.tsx'

/** Lets an admin give up their own rank, the only way in which one of two admins goes without the server's operator. */
export function StepDownPanel({ onSaved }: PanelProps) {
  const client = useClient()
  const { modal } = App.useApp()
  const leave = useMutation({ mutationFn: () => client.call(stepDown, {}), onSuccess: onSaved })
  const ask = () =>
    modal.confirm({
      title: 'ลาออกจากผู้ดูแลระบบ?',
      content: 'คุณจะเป็นผู้จัดการ และออกจากระบบทุกเครื่อง กลับมาเป็นผู้ดูแลระบบได้เมื่อผู้ดูแลระบบคนอื่นตั้งให้',
      okText: 'ลาออก',
      cancelText: 'ปิด',
      onOk: () => leave.mutate(),
    })
  return (
    <>
      <FailureNote title={leave.error && messageOf(leave.error)} />
      <p style={{ marginBottom: 16 }}>
        บทบาทของคุณจะเปลี่ยนเป็นผู้จัดการ ผู้ดูแลระบบทุกคนได้รับแจ้ง หลังจากนั้น 3 วัน ถ้าเหลือผู้ดูแลระบบคนเดียว
        เขาจะทำรายการที่ต้องมีคนที่สองได้โดยลำพัง
      </p>
      <Button danger loading={leave.isPending} onClick={ask}>
        ลาออกจากผู้ดูแลระบบ
      </Button>
    </>
  )
}
