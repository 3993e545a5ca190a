import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useToast } from './toast.tsx'

/** The browser's own address: it is right also while a page is drawn anew, as after a sign-in. LINE changes what follows it. */
const pathNow = (): string => location.pathname

/** Tells whether the person has gone to another page since this one was opened. */
export function useIsLeft(): () => boolean {
  const [opened] = useState(pathNow)
  return () => pathNow() !== opened
}

interface Step {
  /** The page takes the place of this one in the history. */
  replace?: boolean
  /** What is told to those who have gone to another page meanwhile; `action` leads to where they would be now. */
  late?: { text: string; action?: string }
}

/**
 * Leads on to a page after an answer. Whoever went elsewhere before it came is not led away from there: they are told,
 * and what they look at is read again.
 */
export function useGoOn(): (to: string, step?: Step) => void {
  const navigate = useNavigate()
  const toast = useToast()
  const queries = useQueryClient()
  const isLeft = useIsLeft()
  return (to, { replace = false, late } = {}) => {
    if (!isLeft()) return void navigate(to, { replace })
    void queries.invalidateQueries()
    if (!late) return
    const action = late.action === undefined ? undefined : { label: late.action, onPress: () => void navigate(to) }
    toast({ text: late.text, action, seconds: action && 6 })
  }
}
