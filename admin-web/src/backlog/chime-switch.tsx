import { Button } from 'antd'
import { Bell, BellOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { isChimeWanted, keepChimeWanted, openChime, ringChime } from './chime.ts'
import { pressingCount, useBacklog } from './use-backlog.ts'

/** Rings when more work waits than before, if the viewer has switched that on. */
export function ChimeSwitch() {
  const { data: backlog } = useBacklog()
  const [isOn, setIsOn] = useState(isChimeWanted)
  const count = backlog && pressingCount(backlog)
  const known = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (isOn && count !== undefined && known.current !== undefined && count > known.current) ringChime()
    known.current = count
  }, [count, isOn])
  useEffect(() => {
    if (!isOn) return
    document.addEventListener('pointerdown', openChime, { once: true })
    document.addEventListener('keydown', openChime, { once: true })
    return () => {
      document.removeEventListener('pointerdown', openChime)
      document.removeEventListener('keydown', openChime)
    }
  }, [isOn])
  const toggle = () => {
    keepChimeWanted(!isOn)
    setIsOn(!isOn)
    if (isOn) return
    openChime()
    ringChime()
  }
  const Icon = isOn ? Bell : BellOff
  return (
    <Button
      type="text"
      size="small"
      className="chime"
      aria-pressed={isOn}
      icon={<Icon size={16} aria-hidden />}
      onClick={toggle}
    >
      {isOn ? 'เสียงเตือนเปิดอยู่' : 'เปิดเสียงเตือนงานใหม่'}
    </Button>
  )
}
