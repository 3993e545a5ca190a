import { syncAccount } from '@shop/shared/account/endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api.ts'
import { useToast } from '../ui/toast.tsx'
import { useSession } from './session.tsx'

const loadPasswords = () => import('./password.ts')
const MAIL_SECONDS = 10

/**
 * Mails the link that proves the signed-in person's address, and notices once it was followed, which happens in
 * another tab or on another device.
 */
export function useVerifiedEmail(email: string | null, isOpen: boolean) {
  const { renew } = useSession()
  const toast = useToast()
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
  return useMutation({
    mutationFn: async () => (await import('../firebase.ts')).sendVerificationEmail(),
    onSuccess: () => toast({ text: `ส่งอีเมลยืนยันไปที่ ${email} แล้ว กรุณาตรวจสอบกล่องจดหมาย`, seconds: MAIL_SECONDS }),
    onError: () => toast({ kind: 'error', text: 'ส่งอีเมลไม่สำเร็จ! กรุณาลองอีกครั้ง' }),
  })
}
