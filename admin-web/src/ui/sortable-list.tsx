import {
  type Announcements,
  closestCenter,
  DndContext,
  KeyboardSensor,
  PointerSensor,
  type PointerSensorProps,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { Button } from 'antd'
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import './sortable-list.css'

export interface SortableItem {
  id: number | string
  /** The row's name for screen readers. */
  label: string
}

const instructions = 'กด Space เพื่อยก ลูกศรขึ้นลงเพื่อย้าย กด Space อีกครั้งเพื่อวาง หรือ Escape เพื่อยกเลิก'

/** Draws each move at once, so that a row lands where the pointer is even when somebody lets go right after a move. */
class PromptSensor extends PointerSensor {
  constructor(props: PointerSensorProps) {
    super({ ...props, onMove: coordinates => flushSync(() => props.onMove(coordinates)) })
  }
}

/** Rows that people rearrange by dragging, by keyboard or by buttons. `children` draws the content of a row. */
export function SortableList<Item extends SortableItem>(props: {
  name: string
  items: readonly Item[]
  /** The place of the first row, when these are a part of a longer list. */
  firstNo?: number
  isDisabled?: boolean
  onChange: (items: Item[]) => void
  children: (item: Item) => ReactNode
}) {
  const { name, items, firstNo = 1, isDisabled = false, onChange, children } = props
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const [said, setSaid] = useState('')
  const [isDragging, setIsDragging] = useState(false)
  useOwnEscape(isDragging)
  const sensors = useSensors(
    // Dragging begins with the press; waiting for a first move would lose that move, and a quick drag has only a few.
    useSensor(PromptSensor),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const indexOf = (id: unknown) => items.findIndex(item => item.id === id)
  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= items.length) return
    onChange(arrayMove([...items], from, to))
    setSaid(`${items[from]!.label} อยู่ลำดับที่ ${firstNo + to} จาก ${firstNo + items.length - 1}`)
  }
  return (
    <div ref={setRoot}>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{
          announcements: announcementsOf(items),
          screenReaderInstructions: { draggable: instructions },
          // Announced beside the rows, because an open dialog hides the rest of the page from screen readers.
          container: root ?? undefined,
        }}
        onDragStart={() => setIsDragging(true)}
        onDragCancel={() => setIsDragging(false)}
        onDragEnd={({ active, collisions }) => {
          setIsDragging(false)
          // The nearest row comes first; `over` would be that of one drawing earlier.
          const nearest = collisions?.[0]
          if (nearest) move(indexOf(active.id), indexOf(nearest.id))
        }}
      >
        <SortableContext items={[...items]} strategy={verticalListSortingStrategy} disabled={isDisabled}>
          <ol className="sortable" aria-label={name}>
            {items.map((item, index) => (
              <Row
                key={item.id}
                item={item}
                isFirst={index === 0}
                isLast={index === items.length - 1}
                isDisabled={isDisabled}
                onMove={by => move(index, index + by)}
              >
                <span className="sortable-place number" aria-hidden>
                  {firstNo + index}
                </span>
                {children(item)}
              </Row>
            ))}
          </ol>
        </SortableContext>
      </DndContext>
      <p className="sr-only" role="status">
        {said}
      </p>
    </div>
  )
}

/** While a row is dragged, Escape puts it back; it must not reach the dialog around the list, which it would close. */
function useOwnEscape(isDragging: boolean) {
  useEffect(() => {
    if (!isDragging) return
    const keep = (event: KeyboardEvent) => event.key === 'Escape' && event.stopPropagation()
    document.addEventListener('keydown', keep)
    return () => document.removeEventListener('keydown', keep)
  }, [isDragging])
}

function announcementsOf(items: readonly SortableItem[]): Announcements {
  const labelOf = (id: unknown) => items.find(item => item.id === id)?.label ?? ''
  const placeOf = (id: unknown) => `ลำดับที่ ${items.findIndex(item => item.id === id) + 1} จาก ${items.length}`
  return {
    onDragStart: ({ active }) => `ยก ${labelOf(active.id)} ${placeOf(active.id)}`,
    onDragOver: ({ active, over }) => over && `${labelOf(active.id)} ไปที่${placeOf(over.id)}`,
    onDragEnd: ({ active, over }) => over && `วาง ${labelOf(active.id)} ${placeOf(over.id)}`,
    onDragCancel: ({ active }) => `ยกเลิกการย้าย ${labelOf(active.id)}`,
  } as Announcements
}

function Row(props: {
  item: SortableItem
  isFirst: boolean
  isLast: boolean
  isDisabled: boolean
  onMove: (by: 1 | -1) => void
  children: ReactNode
}) {
  const { item, isFirst, isLast, isDisabled, onMove, children } = props
  const drag = useSortable({ id: item.id, attributes: { roleDescription: 'รายการที่ย้ายได้' } })
  const step = (by: 1 | -1) => (event: MouseEvent<HTMLElement>) => {
    const button = event.currentTarget
    // Moving the row in the page takes the focus from its button, so it is given back.
    flushSync(() => onMove(by))
    button.focus()
  }
  const { transform, transition } = drag
  const moved = transform ? `translate3d(0, ${transform.y}px, 0)` : undefined
  return (
    <li
      ref={drag.setNodeRef}
      className={drag.isDragging ? 'is-dragging' : undefined}
      style={{ transform: moved, transition }}
    >
      <button
        {...drag.attributes}
        {...drag.listeners}
        ref={drag.setActivatorNodeRef}
        type="button"
        className="sortable-handle"
        disabled={isDisabled}
        aria-label={`ลาก ${item.label}`}
      >
        <GripVertical size={18} aria-hidden />
      </button>
      {children}
      <StepButton label={`เลื่อน ${item.label} ขึ้น`} icon={ArrowUp} isOff={isDisabled || isFirst} onClick={step(-1)} />
      <StepButton label={`เลื่อน ${item.label} ลง`} icon={ArrowDown} isOff={isDisabled || isLast} onClick={step(1)} />
    </li>
  )
}

/** At the end of the list the button does nothing, but keeps the focus. */
function StepButton(props: {
  label: string
  icon: typeof ArrowUp
  isOff: boolean
  onClick: (event: MouseEvent<HTMLElement>) => void
}) {
  const { label, icon: Icon, isOff, onClick } = props
  return (
    <Button
      type="text"
      icon={<Icon size={16} aria-hidden />}
      aria-label={label}
      aria-disabled={isOff}
      onClick={isOff ? undefined : onClick}
    />
  )
}
