import { ACCOUNT_STATUS_LABELS, type AccountStatus } from '@shop/shared/account/account.ts'
import type { Me } from '@shop/shared/account/endpoints.ts'
import type { Tone } from '@shop/shared/order/status.ts'
import { getInitials } from '@shop/web/initials.ts'
import { BadgeCheck } from 'lucide-react'
import { EmailText } from '../ui/email-text.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { useVerifiedEmail } from './use-verified-email.ts'
import { VerifyEmailButton } from './verify-email-button.tsx'

const tones: Record<AccountStatus, Tone> = { pending: 'warn', active: 'ok', inactive: 'bad' }

function statusOf({ isActived }: Me): AccountStatus {
  if (isActived === null) return 'pending'
  return isActived ? 'active' : 'inactive'
}

/** Shows who is signed in: name and address, and role and status of everybody but customers. */
export function IdentityCard({ me }: { me: Me }) {
  const status = statusOf(me)
  // Firebase knows no address of an account that signs in with LINE alone, so it can't mail a link there.
  const canVerify = me.email !== null && !me.emailVerified && me.providers.some(provider => provider !== 'line')
  useVerifiedEmail(canVerify)
  return (
    <section aria-label="บัญชีของฉัน" className="flex flex-wrap items-center gap-3.5 rounded-card border border-card p-4">
      <span
        className="flex size-13 flex-none items-center justify-center rounded-full bg-fill font-bold text-section"
        aria-hidden="true"
      >
        <span className="trim-label">{getInitials(me.displayName)}</span>
      </span>
      <div className="min-w-[min(9rem,100%)] flex-1">
        <p className="text-section">{me.displayName}</p>
        {me.email && (
          <p className="flex flex-wrap items-center gap-x-1.5 text-ink-2 text-small">
            <EmailText>{me.email}</EmailText>
            {me.emailVerified && <BadgeCheck size={18} className="flex-none text-ok" aria-label="ยืนยันแล้ว" />}
          </p>
        )}
        {me.role !== 'customer' && (
          <p className="mt-1.5 flex flex-wrap gap-1.5">
            <StatusTag tone="accent">{me.roleName}</StatusTag>
            <StatusTag tone={tones[status]}>{ACCOUNT_STATUS_LABELS[status]}</StatusTag>
          </p>
        )}
        {canVerify && <VerifyEmailButton email={me.email} className="mt-2.5" />}
      </div>
    </section>
  )
}
