import { type KeyboardEvent, useState } from 'react'

export const CAPS_LOCK_ON = 'Caps Lock เปิดอยู่ ตัวอักษรจะเป็นตัวใหญ่'

/** Whether the key that makes all letters capitals is on, as far as the keys pressed in a field tell. */
export function useCapsLock() {
  const [isOn, setOn] = useState(false)
  const read = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'))
  return { isOn, keys: { onKeyDown: read, onKeyUp: read } }
}
