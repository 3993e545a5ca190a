import {
  SIGN_IN_PROVIDER,
  SIGN_IN_PROVIDERS,
  type SignInProvider,
  type SocialProvider,
} from '@shop/shared/account/account.ts'
import { linkLine, type Me, startLink, syncAccount, unlinkProvider } from '@shop/shared/account/endpoints.ts'
import { AppError, errorMessage } from '@shop/shared/errors.ts'
import { firebaseCodeOf, signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { api } from '../api.ts'
import { inApp } from '../in-app.ts'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/note.tsx'
import { useToast } from '../ui/toast.tsx'
import { isLineHere, withIdToken } from './line-in-app.ts'
import { goToLine } from './line-on-web.ts'
import { linkOfferOf, linksPathOf } from './link-offer.ts'
import { OpenInBrowser } from './open-in-browser.tsx'
import { PROVEN_SECONDS, ProveSheet } from './prove-sheet.tsx'
import { useSession } from './session.tsx'
import { isBackFromRedirect } from './social-provider.ts'
import { VerifyEmailButton } from './verify-email-button.tsx'
import { forgetWayBack, getPathAfterSignIn } from './way-back.ts'

const loadSocial = () => import('./social.ts')
const sync = () => api.call(syncAccount, { body: {} })

async function link(provider: SignInProvider, path: string): Promise<Me> {
  if (provider === 'line') {
    return isLineHere() ? withIdToken(proof => api.call(linkLine, { body: proof })) : goToLine('link', path)
  }
  const social = await loadSocial()
  await api.call(startLink, { body: { provider: provider as SocialProvider } })
  await social.linkProvider(provider as SocialProvider)
  return sync()
}

const unlink = (provider: SignInProvider) => api.call(unlinkProvider, { params: { provider } })

interface Change {
  provider: SignInProvider
  isLinked: boolean
}

const needsProof = (error: unknown) =>
  firebaseCodeOf(error) === 'auth/requires-recent-login' ||
  (error instanceof AppError && error.code === 'RECENT_SIGN_IN_REQUIRED')

/** Links and unlinks ways to sign in. A change that needs a fresh proof of identity waits for it in `pending`. */
function useLinks(path: string) {
  const { renew } = useSession()
  const toast = useToast()
  const [pending, setPending] = useState<Change | null>(null)
  const change = useMutation({
    mutationFn: async ({ provider, isLinked }: Change) => {
      const { getSecondsSinceProof } = await import('./password.ts')
      if ((await getSecondsSinceProof()) > PROVEN_SECONDS) throw new AppError('RECENT_SIGN_IN_REQUIRED')
      return isLinked ? unlink(provider) : link(provider, path)
    },
    onSuccess: (me, { provider, isLinked }) => {
      renew(me)
      toast({ text: `${isLinked ? 'ยกเลิกการเชื่อมต่อ' : 'เชื่อมต่อ'} ${SIGN_IN_PROVIDER[provider].name} แล้ว` })
    },
    onError: (error, asked) => needsProof(error) && setPending(asked),
  })
  const returned = useRef(false)
  useEffect(() => {
    if (returned.current || !isBackFromRedirect()) return
    returned.current = true
    void loadSocial()
      .then(social => social.finishRedirect())
      .then(sync)
      .then(renew, () => undefined)
  }, [renew])
  return { change, pending, setPending }
}

/** What is said of a way to sign in that is not linked. */
function whatItNeeds(provider: SignInProvider): string {
  if (provider === 'password') return 'บัญชีนี้เข้าสู่ระบบโดยไม่ใช้รหัสผ่าน'
  return inApp && provider !== 'line' ? 'เชื่อมต่อได้ในเบราว์เซอร์' : 'ยังไม่ได้เชื่อมต่อ'
}

interface OfferProps {
  provider: SignInProvider
  isLinked: boolean
  busy: boolean
  onLink: () => void
}

/** Offers to link the way to sign in that was refused before, now that the person is signed in another way. */
function LinkOffer({ provider, isLinked, busy, onLink }: OfferProps) {
  const navigate = useNavigate()
  const { name } = SIGN_IN_PROVIDER[provider]
  const goOn = () => {
    const path = getPathAfterSignIn()
    forgetWayBack()
    navigate(path, { replace: true })
  }
  return (
    <section aria-label={`เชื่อมต่อ ${name}`} className="mb-4 rounded-card border border-accent-line bg-accent-tint p-4">
      <p>
        {isLinked
          ? `เชื่อมต่อ ${name} แล้ว ครั้งต่อไปเข้าได้ทั้งสองทาง`
          : `เมื่อครู่เข้าด้วย ${name} ไม่ได้ เพราะอีเมลมีบัญชีอยู่แล้ว ถ้าเป็นบัญชีนี้ เชื่อมต่อ ${name} ไว้ ครั้งต่อไปเข้าได้ทั้งสองทาง`}
      </p>
      <div className="mt-3 grid gap-2">
        {!isLinked && (
          <Button block busy={busy} busyLabel="กรุณารอสักครู่" onClick={onLink}>
            {`เชื่อมต่อกับ ${name}`}
          </Button>
        )}
        <Button kind={isLinked ? 'primary' : 'secondary'} block onClick={goOn}>
          {isLinked ? 'ดำเนินการต่อ' : 'ไว้ทีหลัง'}
        </Button>
      </div>
    </section>
  )
}

/** Lists the ways to sign in to this account, to be linked and unlinked. */
export default function LinksPanel({ me }: { me: Me }) {
  const [query] = useSearchParams()
  const offered = linkOfferOf(query)
  const path = linksPathOf(me.uid, offered ?? undefined)
  const { change, pending, setPending } = useLinks(path)
  const told = (useLocation().state as { problem?: string | null } | null)?.problem
  const problem = change.error ? !needsProof(change.error) && signInProblemOf(change.error) : told
  // The page to which LINE led back passes on only the text of its failure, not the code.
  const isUnproven = problem === errorMessage('EMAIL_UNPROVEN')
  const isOnly = me.providers.length === 1
  return (
    <>
      <p className="mb-3 text-ink-2 text-small">เข้าสู่ระบบบัญชีเดียวกันได้ทุกช่องทางที่เชื่อมต่อไว้</p>
      {problem && (
        <Note className="mb-3" kind="bad" role="alert" action={isUnproven && <VerifyEmailButton email={me.email} />}>
          {problem}
        </Note>
      )}
      {offered && (
        <LinkOffer
          provider={offered}
          isLinked={me.providers.includes(offered)}
          busy={change.isPending}
          onLink={() => !change.isPending && change.mutate({ provider: offered, isLinked: false })}
        />
      )}
      <ul className="divide-y divide-line">
        {SIGN_IN_PROVIDERS.map(provider => {
          const isLinked = me.providers.includes(provider)
          const isBusy = change.isPending && change.variables.provider === provider
          const isOffered = provider === 'line' || (provider !== 'password' && !inApp)
          return (
            <li key={provider} className="flex min-h-15 flex-wrap items-center gap-x-3 py-2">
              <span className="min-w-[min(8rem,100%)] flex-1">
                <b className="block font-semibold">{SIGN_IN_PROVIDER[provider].name}</b>
                <span className="block text-ink-2 text-note">
                  {isLinked ? (isOnly ? 'เชื่อมต่อแล้ว เป็นช่องทางเดียวของบัญชีนี้' : 'เชื่อมต่อแล้ว') : whatItNeeds(provider)}
                </span>
              </span>
              {(isLinked ? !isOnly : isOffered) && (
                <Button
                  kind={isLinked ? 'destructive' : 'tint'}
                  size="small"
                  busy={isBusy}
                  busyLabel="กรุณารอสักครู่"
                  aria-label={`${isLinked ? 'ยกเลิก การเชื่อมต่อ' : 'เชื่อมต่อ'} ${SIGN_IN_PROVIDER[provider].name}`}
                  onClick={() => !change.isPending && change.mutate({ provider, isLinked })}
                >
                  {isLinked ? 'ยกเลิก' : 'เชื่อมต่อ'}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {inApp && (
        <OpenInBrowser
          path={path}
        >{`ใน${inApp} เชื่อมต่อได้เฉพาะ LINE ถ้าจะเชื่อมต่อ Google หรือ Facebook ให้เปิดร้านในเบราว์เซอร์ แล้วเข้าสู่ระบบใหม่`}</OpenInBrowser>
      )}
      <ProveSheet
        me={me}
        open={pending !== null}
        path={path}
        onClose={() => setPending(null)}
        onProven={() => {
          setPending(null)
          if (pending) change.mutate(pending)
        }}
      />
    </>
  )
}
