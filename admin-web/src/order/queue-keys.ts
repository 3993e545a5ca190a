import { useEffect, useRef } from 'react'
import { isElsewhere, isField, letterOf } from '../ui/keys.ts'

/** The shortcuts of the queue, as its help lists them. Letters work with a Thai keyboard layout too. */
export const QUEUE_KEYS = [
  { keys: ['↑', '↓', 'J', 'K'], does: 'เลื่อนรายการ' },
  { keys: ['Enter'], does: 'รับเรื่องและเปิด (รายการที่รับแล้ว: เปิด)' },
  { keys: ['เว้นวรรค'], does: 'เลือกหลายรายการของเกมเดียวกัน' },
  { keys: ['C', 'X', 'Z'], does: 'คัดลอก Player ID และช่องที่สอง ที่สาม เช่น Zone ID' },
  { keys: ['R', 'Ctrl+V'], does: 'ไปที่ช่องเลขอ้างอิง หรือวางลงในช่อง' },
  { keys: ['F', 'B'], does: 'เติมไม่ได้ หรือคืนเข้าคิว' },
  { keys: ['N'], does: 'เปิดรายการถัดไป' },
  { keys: ['Esc'], does: 'ปิดรายละเอียด' },
  { keys: ['?'], does: 'ดูปุ่มลัด' },
] as const

/** What the keys do, except those that a button of the page names in `aria-keyshortcuts`. */
interface Deeds {
  onEnter: (orderNo: string) => void
  onSelect: (orderNo: string) => void
  onNext: () => void
  onClose: () => void
  /** Puts the focus from a field back on the list. */
  onLeaveField: () => void
  onHelp: () => void
}

const linkOf = (orderNo: string) => document.querySelector<HTMLElement>(`a[data-order="${orderNo}"]`)
/** Whether an element of the list is visible; on narrow screens the panel replaces the list. */
const isVisible = (element: HTMLElement | null): element is HTMLElement => {
  const list = element?.closest('.list')
  return list != null && getComputedStyle(list).display !== 'none'
}

/** Puts the focus on an order's row, or on its panel where the panel replaces the list. */
export function focusOrder(orderNo: string): void {
  const link = linkOf(orderNo)
  if (isVisible(link)) link.focus()
  else document.querySelector<HTMLElement>('.list-and-panel > aside')?.focus()
}

/** Puts the focus on the row after or before the one that has it; from elsewhere on the open one, or the first. */
function moveFocus(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('a[data-order]')].filter(isVisible)
  const at = links.findIndex(link => link.closest('tr')?.contains(document.activeElement))
  const fallback = document.querySelector<HTMLElement>('tr.is-selected a[data-order]') ?? links[0]
  const next = at < 0 ? fallback : links[at + by]
  next?.focus()
}

export const focusNext = () => moveFocus(1)

const withShortcut = (key: string) =>
  document.querySelector<HTMLElement>(`.list-and-panel [aria-keyshortcuts="${key.toUpperCase()}"]`)

/** Does what a letter stands for; false when it stands for nothing here. */
function pressLetter(letter: string, deeds: Deeds): boolean {
  if (letter === 'j') moveFocus(1)
  else if (letter === 'k') moveFocus(-1)
  else if (letter === 'n') deeds.onNext()
  else {
    const named = letter && withShortcut(letter)
    if (!named) return false
    // A button is pressed, a field is typed into.
    if (named instanceof HTMLButtonElement) named.click()
    else named.focus()
  }
  return true
}

/** Does what another key stands for; these keys work when the letters are switched off, too. */
function pressOther({ key, code, shiftKey, target }: KeyboardEvent, deeds: Deeds): boolean {
  const orderNo = (target as HTMLElement).closest<HTMLElement>('a[data-order]')?.dataset.order
  if (key === 'ArrowDown') moveFocus(1)
  else if (key === 'ArrowUp') moveFocus(-1)
  else if (key === 'Enter' && orderNo) deeds.onEnter(orderNo)
  else if (key === ' ' && orderNo) deeds.onSelect(orderNo)
  else if (key === '?' || (code === 'Slash' && shiftKey)) deeds.onHelp()
  else return false
  return true
}

/** Operates the queue by keyboard, except while somebody types or the focus is in a dialog. */
export function useQueueKeys(areLettersOn: boolean, deeds: Deeds): void {
  const latest = useRef({ areLettersOn, deeds })
  latest.current = { areLettersOn, deeds }
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { areLettersOn, deeds } = latest.current
      const target = event.target as HTMLElement
      if (event.defaultPrevented || isElsewhere(target)) return
      if (event.key === 'Escape') return isField(target) ? deeds.onLeaveField() : deeds.onClose()
      if (isField(target) || event.altKey) return
      if (event.ctrlKey || event.metaKey) {
        // The browser pastes into the element that has the focus after this handler.
        if (letterOf(event) === 'v') withShortcut('r')?.focus()
        return
      }
      if (pressOther(event, deeds) || (areLettersOn && pressLetter(letterOf(event), deeds))) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
