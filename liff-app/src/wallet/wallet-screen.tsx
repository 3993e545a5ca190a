import { can } from '@shop/shared/permissions.ts'
import type { WalletTransaction, WalletView } from '@shop/shared/wallet/endpoints.ts'
import { ChevronRight, Wallet } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { PinNotice } from '../account/pin-notice.tsx'
import { useSession } from '../account/session.tsx'
import { useContact } from '../settings/contact.ts'
import { ButtonAnchor } from '../ui/button.tsx'
import { lazySheet } from '../ui/lazy-part.tsx'
import { Empty, Loaded, Skeleton } from '../ui/state.tsx'
import { StatusTag } from '../ui/status-tag.tsx'
import { HistorySection } from './history-section.tsx'
import { isWithoutWallet, useWallet } from './use-wallet.ts'
import { WalletFigures } from './wallet-figures.tsx'

const TopUpSheet = lazySheet(() => import('./top-up-sheet.tsx'))

/** The signed-in person's own wallet with its balance, its history and the form for a top-up. */
export default function WalletScreen() {
  const wallet = useWallet()
  if (isWithoutWallet(wallet.error)) return <NoWallet />
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h1 className="page-title">กระเป๋าเงิน</h1>
        {wallet.data && <StatusTag tone="accent">ตัวแทน {wallet.data.tier.name}</StatusTag>}
      </div>
      <Loaded query={wallet} skeleton={<WalletSkeleton />} failure="ไม่สามารถดึงข้อมูลได้ กรุณาลองอีกครั้ง" spaced>
        {data => <Content wallet={data} />}
      </Loaded>
    </>
  )
}

/** Which top-up the sheet edits. `round` counts the saved ones, so that each starts with an empty sheet. */
interface Writing {
  edited: WalletTransaction | null
  /** null until the sheet was opened for the first time, which is when its code is loaded. */
  isOpen: boolean | null
  round: number
  /** The top-up that was saved last. */
  savedId: string | null
}

function Content({ wallet }: { wallet: WalletView }) {
  const [writing, setWriting] = useState<Writing>({ edited: null, isOpen: null, round: 0, savedId: null })
  const write = (edited: WalletTransaction | null) => setWriting(last => ({ ...last, edited, isOpen: true }))
  return (
    <>
      {wallet.pin && <PinNotice pin={wallet.pin} nowDate={wallet.nowDate} />}
      <WalletFigures wallet={wallet} onTopUp={() => write(null)} />
      <ApiLink />
      <HistorySection newId={writing.savedId} onEdit={write} />
      {writing.isOpen !== null && (
        <TopUpSheet
          key={`${writing.edited?.id ?? 'new'} ${writing.round}`}
          wallet={wallet}
          edited={writing.edited}
          open={writing.isOpen}
          onClose={() => setWriting(last => ({ ...last, isOpen: false }))}
          onSaved={savedId => setWriting(({ round }) => ({ edited: null, isOpen: false, round: round + 1, savedId }))}
        />
      )}
    </>
  )
}

/** Leads agents to the page of their machines. */
function ApiLink() {
  const { me } = useSession()
  if (!me || !can(me.role, 'reseller.keys')) return null
  return (
    <Link
      to="/agent/api"
      className="mt-3 flex min-h-14 items-center justify-between gap-3 rounded-control border border-line px-4 py-2 hover:bg-canvas"
    >
      <span>
        <span className="block font-semibold">API สำหรับตัวแทน</span>
        <span className="block text-ink-2 text-note">ให้ระบบของคุณสั่งซื้อจากกระเป๋าเงินนี้ได้เอง</span>
      </span>
      <ChevronRight size={20} className="flex-none text-ink-2" />
    </Link>
  )
}

function NoWallet() {
  const [way] = useContact().ways
  return (
    <>
      <h1 className="page-title">กระเป๋าเงิน</h1>
      <Empty
        icon={Wallet}
        title="ยังไม่มีกระเป๋าเงิน"
        text="กรุณาติดต่อแอดมินเพื่อเปิดใช้งาน"
        action={
          way && (
            <ButtonAnchor kind="tint" size="small" href={way.url}>
              {way.label}
            </ButtonAnchor>
          )
        }
      />
    </>
  )
}

const WalletSkeleton = () => (
  <>
    <Skeleton className="mt-3 h-56 lg:h-32" />
    <Skeleton className="mt-6 h-11" />
    <Skeleton className="mt-4 h-64" />
  </>
)
