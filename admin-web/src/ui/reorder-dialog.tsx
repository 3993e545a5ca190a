import { Modal } from 'antd'
import { useState } from 'react'
import { FailureNote } from './failure-note.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { SortableList } from './sortable-list.tsx'

interface ReorderItem<Id> {
  id: Id
  label: string
  /** Address of a small picture. */
  picture?: string
}

/** Puts the rows of a list in another order, which is saved as a whole. */
export function ReorderDialog<Id extends number | string>(props: {
  title: string
  items: readonly ReorderItem<Id>[]
  isSaving: boolean
  /** That the order could not be saved, and why. */
  failure: { title: string; text: string } | null
  onSave: (ids: Id[]) => void
  onClose: () => void
}) {
  const { title, items, isSaving, failure, onSave, onClose } = props
  const [first] = useState(items)
  const [order, setOrder] = useState(first)
  const isChanged = order.some(({ id }, index) => id !== first[index]?.id)
  return (
    <Modal
      open
      title={title}
      okText="บันทึก"
      okButtonProps={{ disabled: !isChanged }}
      cancelText="ยกเลิก"
      confirmLoading={isSaving}
      closable={!isSaving}
      keyboard={!isSaving}
      mask={{ closable: false }}
      onOk={() => onSave(order.map(({ id }) => id))}
      onCancel={() => !isSaving && onClose()}
    >
      {isChanged && <LeaveGuard isActive={!isSaving} question="มีลำดับใหม่ที่ยังไม่บันทึก" isWholeAddress />}
      <FailureNote title={failure?.title ?? null} text={failure?.text} />
      <div className="reorder">
        <SortableList name={title} items={order} isDisabled={isSaving} onChange={setOrder}>
          {({ label, picture }) => (
            <>
              {picture && <img src={picture} alt="" className="sortable-picture" />}
              <span className="grow">{label}</span>
            </>
          )}
        </SortableList>
      </div>
    </Modal>
  )
}
