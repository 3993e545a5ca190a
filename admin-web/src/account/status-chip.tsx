import { ACCOUNT_STATUS_LABELS, type AccountStatus } from '@shop/shared/account/account.ts'

const tones: Record<AccountStatus, string> = { pending: 'is-warn', active: 'is-ok', inactive: '' }

/** true active, false inactive, null pending. */
export function statusOf(isActived: boolean | null): AccountStatus {
  return isActived === null ? 'pending' : isActived ? 'active' : 'inactive'
}

export function StatusChip({ isActived }: { isActived: boolean | null }) {
  const status = statusOf(isActived)
  return <span className={`tag ${tones[status]}`}>{ACCOUNT_STATUS_LABELS[status]}</span>
}
