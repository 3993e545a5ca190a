import type { ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { Modal } from 'antd'
import { applyText, BulkPreview } from './bulk-preview.tsx'
import { type BulkAction, useBulkChange } from './use-bulk-change.ts'

const ACTIONS = {
  activate: { title: 'เปิดใช้งานแพ็กเกจที่เลือก', action: { kind: 'activate' } },
  deactivate: { title: 'ปิดใช้งานแพ็กเกจที่เลือก', action: { kind: 'deactivate' } },
} satisfies Record<string, { title: string; action: BulkAction }>

/** Switches the chosen packages on or off, after showing which change. */
export function BulkStatusDialog(props: {
  kind: keyof typeof ACTIONS
  selected: ManagedPackage[]
  onClose: (isDone?: boolean) => void
}) {
  const { kind, selected, onClose } = props
  const { title, action } = ACTIONS[kind]
  const change = useBulkChange(selected, action, () => onClose(true))
  return (
    <Modal
      open
      width={760}
      title={title}
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
