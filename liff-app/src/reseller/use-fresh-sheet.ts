import { useState } from 'react'

/**
 * Whether a sheet is open. Closed, it keeps what was typed; once it has done its work, `end` closes it, and another
 * `round`, which is to be its key, makes a new and empty one.
 */
export function useFreshSheet() {
  const [{ isOpen, round }, setState] = useState({ isOpen: false, round: 0 })
  return {
    isOpen,
    round,
    open: () => setState(last => ({ ...last, isOpen: true })),
    close: () => setState(last => ({ ...last, isOpen: false })),
    end: () => setState(last => ({ isOpen: false, round: last.round + 1 })),
  }
}
