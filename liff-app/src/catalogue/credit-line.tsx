import { Link } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { useCredit } from '../account/use-credit.ts'
import { Amount } from '../ui/amount.tsx'

/** What the person has as shop credit, as an agent's line has the wallet; nothing for the many who have none. */
export default function CreditLine() {
  const { me } = useSession()
  const { data: credit } = useCredit()
  if (!me || !credit || credit.balanceSatang === 0) return null
  return (
    <Link
      to={`/user/${me.uid}?panel=credit`}
      className="flex min-h-18 flex-wrap items-center justify-between gap-x-4 rounded-card border border-line px-4 py-2.5 hover:border-card"
    >
      <span>
        <span className="block text-ink-2 text-note">เครดิตร้าน ใช้ซื้อได้ทุกเกม</span>
        <Amount satang={credit.balanceSatang} className="text-total" />
      </span>
      <span className="link text-small">ดูเครดิต</span>
    </Link>
  )
}
