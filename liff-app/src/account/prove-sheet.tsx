import { SIGN_IN_PROVIDER, SOCIAL_PROVIDERS, type SocialProvider } from '@shop/shared/account/account.ts'
import type { Me } from '@shop/shared/account/endpoints.ts'
import { signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { inApp } from '../in-app.ts'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { Problem } from '../ui/problem.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { exchangeProof } from './exchange-proof.ts'
import { byProveForm, type ProveForm } from './forms.ts'
import { isLineHere, withIdToken } from './line-in-app.ts'
import { goToLine } from './line-on-web.ts'
import { OpenInBrowser } from './open-in-browser.tsx'
import { useSession } from './session.tsx'

/**
 * The server accepts a proof of the last five minutes; this is less, since typing, or the way to LINE and back, takes time.
 */
export const PROVEN_SECONDS = 150

interface ProveProps {
  me: Me
  open: boolean
  /** The page to which LINE's page leads back. */
  path: string
  onProven: () => void
  onClose: () => void
}

/** Asks the signed-in person to prove who they are once more, in one of the ways that this account already has. */
export function ProveSheet({ me, open, path, onProven, onClose }: ProveProps) {
  const { signIn } = useSession()
  const form = useForm<ProveForm>({ defaultValues: { current: '' }, resolver: byProveForm, reValidateMode: 'onSubmit' })
  const password = form.register('current')
  const field = useRef<HTMLInputElement>(null)
  const prove = useMutation({ mutationFn: (work: () => Promise<unknown>) => work(), onSuccess: onProven })
  const byPassword =
    ({ current }: ProveForm) =>
    async () =>
      (await import('../firebase.ts')).proveWithPassword(current)
  const bySocial = (id: SocialProvider) => async () => (await import('./social.ts')).proveWithProvider(id)
  const byLine = () =>
    isLineHere() ? withIdToken(proof => signIn(firebase => exchangeProof(proof, firebase))) : goToLine('signIn', path)
  return (
    <Sheet open={open} onClose={onClose} title="ยืนยันตัวตน" busy={prove.isPending} firstField={field}>
      <p className="mb-4 text-ink-2">เพื่อความปลอดภัย กรุณายืนยันว่าเป็นคุณก่อนทำรายการนี้</p>
      <Problem className="mb-3">{prove.error && signInProblemOf(prove.error)}</Problem>
      <div className="grid gap-2">
        {me.providers.includes('password') && (
          <form onSubmit={form.handleSubmit(values => !prove.isPending && prove.mutate(byPassword(values)))}>
            <PasswordField
              {...password}
              ref={element => {
                password.ref(element)
                field.current = element
              }}
              label="รหัสผ่านปัจจุบัน"
              autoComplete="current-password"
              required
              error={form.formState.errors.current?.message}
            />
            <Button type="submit" block busy={prove.isPending} busyLabel="กรุณารอสักครู่">
              ยืนยัน
            </Button>
          </form>
        )}
        {SOCIAL_PROVIDERS.filter(id => !inApp && me.providers.includes(id)).map(id => (
          <Button key={id} kind="secondary" block onClick={() => !prove.isPending && prove.mutate(bySocial(id))}>
            {`ยืนยันด้วย ${SIGN_IN_PROVIDER[id].name}`}
          </Button>
        ))}
        {me.providers.includes('line') && (
          <Button kind="secondary" block onClick={() => !prove.isPending && prove.mutate(byLine)}>
            ยืนยันด้วย LINE
          </Button>
        )}
        {inApp && SOCIAL_PROVIDERS.some(id => me.providers.includes(id)) && (
          <OpenInBrowser path={path}>{`Google และ Facebook ใช้ยืนยันใน${inApp} ไม่ได้`}</OpenInBrowser>
        )}
      </div>
    </Sheet>
  )
}
