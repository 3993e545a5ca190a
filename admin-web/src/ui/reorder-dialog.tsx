import { DragDropProvider } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { Button, InputNumber, Modal } from 'antd'
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { FailureNote } from './failure-note.tsx'
import { moveRow, type Place, placesOf } from './places.ts'
import './reorder.css'

interface Row {
  id: number
  name: string
  picture?: string
}

/** Puts rows in another order: by dragging, by arrows, by the keyboard, or by typing the place. */
export function ReorderDialog(props: {
  title: string
  rows: readonly Row[]
  /** Of a longer list only some are shown: the place of the first, and how many there are. */
  firstNo?: number
  total?: number
  isSaving: boolean
  failure: string | null
  /** Above the rows, e.g. which of a longer list are shown; `isMoved` while something is unsaved. */
  head?: (isMoved: boolean) => ReactNode
  onSave: (places: Place[]) => void
  onClose: () => void
}) {
  const { title, rows, firstNo = 1, total = rows.length, isSaving, failure, head, onSave, onClose } = props
  const [order, setOrder] = useState(rows)
  const [away, setAway] = useState<ReadonlyMap<number, number>>(new Map())
  const [said, setSaid] = useState('')
  const isMoved = away.size > 0 || order.some((row, index) => row !== rows[index])
  const move = (from: number, to: number) => {
    const { id, name } = order[from]!
    setOrder(moveRow(order, from, to))
    setAway(new Map([...away].filter(([other]) => other !== id)))
    setSaid(`${name} อยู่ลำดับที่ ${firstNo + to}`)
  }
  const put = (from: number, no: number) => {
    const to = no - firstNo
    if (to >= 0 && to < order.length) return move(from, to)
    const { id, name } = order[from]!
    setAway(new Map(away).set(id, no))
    setSaid(`${name} จะย้ายไปลำดับที่ ${no}`)
  }
  return (
    <Modal
      open
      width={560}
      title={title}
      okText="บันทึกลำดับ"
      cancelText="ยกเลิก"
      okButtonProps={{ disabled: !isMoved, autoFocus: false }}
      confirmLoading={isSaving}
      closable={!isSaving}
      keyboard={!isSaving}
      mask={{ closable: false }}
      onOk={() => onSave(placesOf(order, firstNo, away))}
      onCancel={onClose}
    >
      <FailureNote title={failure} />
      {head?.(isMoved)}
      <p className="note muted reorder-note">ลากแถว กดลูกศร หรือพิมพ์ลำดับที่ต้องการแล้วกด Enter</p>
      <DragDropProvider
        onDragEnd={({ canceled, operation: { source } }) => {
          if (canceled || !isSortable(source)) return
          const { initialIndex, index } = source
          if (initialIndex !== index) move(initialIndex, index)
        }}
      >
        <ol className="reorder">
          {order.map((row, index) => (
            <ReorderRow
              key={row.id}
              row={row}
              index={index}
              no={away.get(row.id) ?? firstNo + index}
              isAway={away.has(row.id)}
              isLast={index === order.length - 1}
              total={total}
              onMove={to => move(index, to)}
              onPut={no => put(index, no)}
            />
          ))}
        </ol>
      </DragDropProvider>
      <p className="sr-only" role="status">
        {said}
      </p>
    </Modal>
  )
}

function ReorderRow(props: {
  row: Row
  index: number
  no: number
  isAway: boolean
  isLast: boolean
  total: number
  onMove: (to: number) => void
  onPut: (no: number) => void
}) {
  const { row, index, no, isAway, isLast, total, onMove, onPut } = props
  const { ref, handleRef, isDragging } = useSortable({ id: row.id, index })
  const [typed, setTyped] = useState<number | null>(null)
  const put = () => {
    setTyped(null)
    if (typed !== null && typed !== no) onPut(Math.min(Math.max(1, Math.round(typed)), total))
  }
  return (
    <li ref={ref} className={isDragging ? 'row is-dragging' : 'row'}>
      <button type="button" ref={handleRef} className="drag-handle" aria-label={`ลาก ${row.name}`}>
        <GripVertical size={18} aria-hidden />
      </button>
      <InputNumber
        aria-label={`ลำดับของ ${row.name}`}
        controls={false}
        value={typed ?? no}
        onChange={setTyped}
        onPressEnter={put}
        onBlur={put}
        style={{ width: 64 }}
      />
      {row.picture && <img className="art" src={row.picture} alt="" />}
      <span className="grow">
        {row.name}
        {isAway && <span className="note muted"> · ย้ายไปลำดับที่ {no}</span>}
      </span>
      <Button
        type="text"
        icon={<ArrowUp size={18} aria-hidden />}
        aria-label={`เลื่อน ${row.name} ขึ้น`}
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
      />
      <Button
        type="text"
        icon={<ArrowDown size={18} aria-hidden />}
        aria-label={`เลื่อน ${row.name} ลง`}
        disabled={isLast}
        onClick={() => onMove(index + 1)}
      />
    </li>
  )
}
