import { Modal } from 'antd'
import { applyText, BulkPreview } from './bulk-preview.tsx'
import { type BulkAction, type Chosen, useBulkChange } from './use-bulk-change.ts'

const ACTIONS = {
  activate: { title: 'เปิดใช้งาน', action: { kind: 'activate' } },
  deactivate: { title: 'ปิดใช้งาน', action: { kind: 'deactivate' } },
} satisfies Record<string, { title: string; action: BulkAction }>

/** Switches the selected packages on or off, after showing which of them change. */
export function BulkStatusDialog(props: {
  kind: keyof typeof ACTIONS
  chosen: Chosen
  onClose: (isDone?: boolean) => void
}) {
  const { kind, chosen, onClose } = props
  const { title, action } = ACTIONS[kind]
  const change = useBulkChange(chosen, action, () => onClose(true))
  return (
    <Modal
      open
      width={760}
      title={`${title} ${chosen.text}`}
      okText={applyText(change)}
      okButtonProps={{ disabled: !change.canApply, autoFocus: false }}
      cancelText="ยกเลิก"
      confirmLoading={change.isApplying}
      closable={!change.isApplying}
      keyboard={!change.isApplying}
      mask={{ closable: false }}
      onOk={change.apply}
      onCancel={() => onClose()}
    >
      <BulkPreview change={change} />
    </Modal>
  )
}
