import { Link } from 'react-router-dom'
import { Amount } from '../ui/amount.tsx'
import { Skeleton } from '../ui/state.tsx'
import { useWallet } from '../wallet/use-wallet.ts'

/** What the person's wallet holds, and at which tier's prices it buys. */
export default function WalletLine() {
  const { data: wallet, isError } = useWallet()
  // The wallet's own page tells why it can't be read; here it only takes no room.
  if (isError) return null
  if (!wallet) return <Skeleton className="h-18 rounded-card" />
  return (
    <Link
      to="/wallet"
      className="flex min-h-18 flex-wrap items-center justify-between gap-x-4 rounded-card border border-line px-4 py-2.5 hover:border-card"
    >
      <span>
        <span className="block text-ink-2 text-note">ยอดคงเหลือ</span>
        <Amount satang={wallet.balanceSatang} className="text-total" />
      </span>
      <span className="min-w-0 text-right text-small">
        <span className="wrap-anywhere block font-semibold">ราคาตัวแทน {wallet.tier.name}</span>
        <span className="link">กระเป๋าเงิน</span>
      </span>
    </Link>
  )
}
