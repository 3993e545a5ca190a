import {
  type GameCheck,
  isAskedByCode,
  MOST_CHECKS,
  PLAYER_CHECKS,
  playerCheckLabel,
} from '@shop/shared/catalogue/player-check.ts'
import { Button, Input, Select } from 'antd'
import { Trash2 } from 'lucide-react'
import { SortableList } from '../ui/sortable-list.tsx'

interface CheckListProps {
  id?: string
  value?: GameCheck[]
  onChange?: (checks: GameCheck[]) => void
}

/** Chooses who is asked for a game's players, and in which order. */
export function CheckList({ id, value: checks = [], onChange = () => {} }: CheckListProps) {
  const others = PLAYER_CHECKS.filter(by => !checks.some(check => check.by === by))
  const setCode = (by: GameCheck['by'], gameCode: string) =>
    onChange(checks.map(check => (check.by === by ? { by, gameCode } : check)))
  return (
    <>
      <SortableList
        name="ลำดับการตรวจชื่อผู้เล่น"
        items={checks.map(check => ({ ...check, id: check.by, label: playerCheckLabel(check.by) }))}
        onChange={items => onChange(items.map(({ by, gameCode }) => ({ by, gameCode })))}
      >
        {({ by, gameCode, label }) => (
          <>
            <span className="check-name">{label}</span>
            {isAskedByCode(by) && (
              <Input
                value={gameCode}
                maxLength={50}
                autoComplete="off"
                spellCheck={false}
                placeholder="รหัสเกม ถ้าไม่ตรงกับของร้าน"
                aria-label={`รหัสเกมที่ ${label}`}
                onChange={event => setCode(by, event.target.value)}
              />
            )}
            <Button
              type="text"
              icon={<Trash2 size={16} aria-hidden />}
              aria-label={`เลิกตรวจกับ ${label}`}
              onClick={() => onChange(checks.filter(check => check.by !== by))}
            />
          </>
        )}
      </SortableList>
      {others.length > 0 && checks.length < MOST_CHECKS && (
        <Select
          id={id}
          value={null}
          placeholder={checks.length === 0 ? 'ไม่ตรวจ' : 'เพิ่มผู้ตรวจสำรอง'}
          aria-label="เพิ่มผู้ตรวจชื่อผู้เล่น"
          options={others.map(by => ({ value: by, label: playerCheckLabel(by) }))}
          onChange={(by: GameCheck['by'] | null) => by && onChange([...checks, { by, gameCode: '' }])}
        />
      )}
    </>
  )
}
