import { Link } from 'react-router-dom'
import { Amount } from '../ui/amount.tsx'

/** What a person has as shop credit, as an agent's line has the wallet. */
export default function CreditLine({ uid, satang }: { uid: string; satang: number }) {
  return (
    <Link
      to={`/user/${uid}?panel=credit`}
      className="flex min-h-18 flex-wrap items-center justify-between gap-x-4 rounded-card border border-line px-4 py-2.5 hover:border-card"
    >
      <span>
        <span className="block text-ink-2 text-note">เครดิตร้าน ใช้ซื้อได้ทุกเกม</span>
        <Amount satang={satang} className="text-total" />
      </span>
      <span className="link text-small">ดูเครดิต</span>
    </Link>
  )
}
