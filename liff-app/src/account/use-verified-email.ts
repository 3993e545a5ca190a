import { syncAccount } from '@shop/shared/account/endpoints.ts'
import { useEffect } from 'react'
import { api } from '../api.ts'
import { useSession } from './session.tsx'

const loadPasswords = () => import('./password.ts')

/** Notices when the signed-in person has followed the link that proves their address, even on another device. */
export function useVerifiedEmail(isOpen: boolean): void {
  const { renew } = useSession()
  useEffect(() => {
    if (!isOpen) return
    const look = async () => {
      if (document.visibilityState === 'hidden') return
      const passwords = await loadPasswords()
      if (await passwords.isEmailProven()) renew(await api.call(syncAccount, { body: {} }))
    }
    // When this fails, offline for example, the button to mail the link stays.
    const lookAgain = () => void look().catch(() => undefined)
    lookAgain()
    document.addEventListener('visibilitychange', lookAgain)
    return () => document.removeEventListener('visibilitychange', lookAgain)
  }, [isOpen, renew])
}
