import { type ReactNode, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useSession } from '../session.tsx'
import { useToast } from '../ui/toast.tsx'

/** Sends a signed-out visitor to sign in, and back to this page afterwards. */
export function SignedInOnly({ children }: { children: ReactNode }) {
  const { me } = useSession()
  const { pathname, search } = useLocation()
  const toast = useToast()
  const isOut = me === null
  useEffect(() => {
    if (isOut) toast({ kind: 'error', text: 'You must be logged in to see this page' })
  }, [isOut, toast])
  return isOut ? <Navigate to="/login" replace state={{ from: pathname + search }} /> : children
}
