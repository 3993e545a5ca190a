import { syncAccount } from '@shop/shared/account/endpoints.ts'
import { useEffect } from 'react'
import { api } from '../api.ts'
import { useSession } from './session.tsx'

const loadPasswords = () => import('./password.ts')

/** Notices once the link that proves the signed-in person's address was followed, in another tab or on another device. */
export function useVerifiedEmail(isOpen: boolean): void {
  const { renew } = useSession()
  useEffect(() => {
    if (!isOpen) return
    const look = async () => {
      if (document.visibilityState === 'hidden') return
      const passwords = await loadPasswords()
      if (await passwords.isEmailProven()) renew(await api.call(syncAccount, { body: {} }))
    }
    // Offline or signed out elsewhere: the button stays.
    const lookAgain = () => void look().catch(() => undefined)
    lookAgain()
    document.addEventListener('visibilitychange', lookAgain)
    return () => document.removeEventListener('visibilitychange', lookAgain)
  }, [isOpen, renew])
}
