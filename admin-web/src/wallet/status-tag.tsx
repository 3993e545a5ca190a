import { TOP_UP_STATUS_LABELS, type TopUpStatus } from '@shop/shared/wallet/top-up.ts'

const tones: Record<TopUpStatus, string> = {
  waiting_payment: 'is-warn',
  waiting_approve: 'is-accent',
  approve: 'is-ok',
  reject: 'is-warn',
  cancel: 'is-bad',
  expired: 'is-bad',
}

export function TopUpStatusTag({ status }: { status: TopUpStatus }) {
  return <span className={`tag ${tones[status]}`}>{TOP_UP_STATUS_LABELS[status]}</span>
}
