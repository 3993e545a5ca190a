import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ContactRound, History, Timer } from 'lucide-react'
import { useState } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { useSession } from '../session.tsx'
import { inLiff } from '../shop.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { CheckboxRow } from '../ui/checkbox-row.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { focusOn } from '../ui/focus-on.ts'
import { Note } from '../ui/note.tsx'
import { PayBar } from '../ui/pay-bar.tsx'
import { Failure, Pending, Skeleton } from '../ui/state.tsx'
import { useToast } from '../ui/toast.tsx'
import { useWalletPlacing } from '../wallet/use-wallet-placing.tsx'
import { clearPurchase, getCurrentOrder, saveCurrentOrder } from './current-order.ts'
import { type Draft, getAcceptedTerms, getDraft, saveAcceptedTerms, saveDraft } from './draft.ts'
import { OtherAccountsSheet } from './other-accounts-sheet.tsx'
import { PendingOrdersSheet } from './pending-orders-sheet.tsx'
import { placeOrder } from './place-order.ts'
import { PlacingNotice } from './placing-notice.tsx'
import { savePlayer } from './saved-players.ts'
import { TermsSummary } from './terms-summary.tsx'
import { TERMS_VERSION, TermsSheet } from './terms-text.tsx'
import { useUnpaidOrders } from './unpaid-orders.ts'
import { type Offer, useOffer } from './use-offer.ts'

/** The last look before ordering: what, how much, and under which terms. */
export default function TermsScreen() {
  const [draft] = useState(getDraft)
  if (!draft?.package) return <Navigate to="/game" replace />
  if (getAcceptedTerms() && getCurrentOrder()) return <Navigate to="/payment" replace />
  return <Terms kept={draft} />
}

function Terms({ kept }: { kept: Draft }) {
  const [draft, setDraft] = useState(kept)
  const offer = useOffer(draft.gameCode)
  const chosen = offer.packages.find(each => each.id === draft.package && each.payment === draft.paymentMethod)
  const change = (next: Draft) => {
    setDraft(next)
    saveDraft(next)
  }
  if (offer.error) return <Failure text={messageOf(offer.error)} onRetry={() => void offer.retry()} />
  return (
    <Pending pending={offer.isPending} skeleton={<Skeleton className="h-80" />}>
      {() =>
        chosen ? (
          <Agreement draft={draft} chosen={chosen} offer={offer} onChange={change} />
        ) : (
          <NotOnSale gameCode={draft.gameCode} />
        )
      }
    </Pending>
  )
}

const NotOnSale = ({ gameCode }: { gameCode: string }) => (
  <>
    <h1 className="page-title mb-4">ตรวจสอบคำสั่งซื้อ</h1>
    <Note kind="warn" role="alert">
      {new AppError('PACKAGE_NOT_ON_SALE').message}
    </Note>
    <ButtonLink to={`/game/${gameCode}?isback`} replace block className="mt-4">
      เลือกแพ็กเกจอื่น
    </ButtonLink>
  </>
)

type AgreementProps = { draft: Draft; chosen: GamePackage; offer: Offer; onChange: (draft: Draft) => void }

function Agreement({ draft, chosen, offer, onChange }: AgreementProps) {
  const isAgreed = getAcceptedTerms() === TERMS_VERSION
  const [ticked, setTicked] = useState({ terms: isAgreed, exact: isAgreed })
  const [sheet, setSheet] = useState<'terms' | 'cancel' | null>(null)
  const navigate = useNavigate()
  const isWallet = draft.paymentMethod === 'wallet'
  const byTransfer = usePlacing({ draft, chosen, offer, onChange })
  const fromWallet = useWalletPlacing({ draft, chosen, offer, onChange })
  const placing = isWallet ? fromWallet : byTransfer
  const back = `/game/${draft.gameCode}?isback`
  const unmet = ticked.terms && ticked.exact ? undefined : 'ยอมรับเงื่อนไขก่อน'
  const close = () => setSheet(null)
  const cancel = () => {
    clearPurchase()
    navigate('/game', { replace: true })
  }
  return (
    <div className="mx-auto max-w-160 pb-6">
      <h1 className={inLiff ? 'page-title' : 'sr-only lg:not-sr-only lg:page-title'}>ตรวจสอบคำสั่งซื้อ</h1>
      <TermsSummary draft={draft} chosen={chosen} offer={offer} />
      {placing.notice}
      <h2 className="mt-5 mb-2 text-section">เงื่อนไขสำคัญ</h2>
      <KeyTerms />
      <Button kind="quiet" size="inline" className="-ml-3" aria-haspopup="dialog" onClick={() => setSheet('terms')}>
        อ่านเงื่อนไขการให้บริการทั้งหมด
      </Button>
      <div id="terms-boxes" className="mt-1.5 divide-y divide-line border-line border-t">
        <CheckboxRow checked={ticked.terms} onChange={event => setTicked({ ...ticked, terms: event.target.checked })}>
          ยอมรับเงื่อนไขการให้บริการ
        </CheckboxRow>
        <CheckboxRow checked={ticked.exact} onChange={event => setTicked({ ...ticked, exact: event.target.checked })}>
          จะโอนเงินให้ตรงทุกสตางค์ <b className="font-semibold">ไม่ปัดเศษ</b>
        </CheckboxRow>
      </div>
      <Button kind="destructive" size="small" block className="mt-3" onClick={() => setSheet('cancel')}>
        ยกเลิกคำสั่งซื้อ
      </Button>
      <PayBar wide="static">
        <ButtonLink kind="secondary" to={back} replace>
          ย้อนกลับ
        </ButtonLink>
        <Button
          unmet={unmet}
          onUnmet={() => focusOn('terms-boxes')}
          busy={placing.isBusy}
          busyLabel="กำลังสร้างรายการ"
          onClick={placing.start}
        >
          {isWallet ? 'ยืนยันการสั่งซื้อ' : 'ดำเนินการต่อ'}
        </Button>
      </PayBar>
      {placing.sheets}
      <TermsSheet open={sheet === 'terms'} onClose={close} />
      <ConfirmDialog
        open={sheet === 'cancel'}
        title="ยกเลิกคำสั่งซื้อ"
        text="คุณต้องการยกเลิกคำสั่งซื้อหรือไม่?"
        confirmLabel="ยกเลิกคำสั่งซื้อ"
        destructive
        onConfirm={cancel}
        onClose={close}
      />
    </div>
  )
}

const keyTerms = [
  { icon: Timer, text: 'รายการที่สำเร็จ เข้าเกมใน 5–60 นาที' },
  { icon: History, text: 'ไม่สามารถยกเลิกหรือคืนเงินหลังทำรายการ' },
  { icon: ContactRound, text: 'กรอก ID ผิด ไม่สามารถคืนเงินได้' },
]

const KeyTerms = () => (
  <ul className="text-small">
    {keyTerms.map(({ icon: Icon, text }) => (
      <li key={text} className="flex items-start gap-2.5 py-1">
        <Icon size={18} strokeWidth={1.75} className="mt-0.5 flex-none text-ink-2" aria-hidden />
        {text}
      </li>
    ))}
  </ul>
)

/** Sends the order and deals with every answer; `notice` and `sheets` are what the page has to show for it. */
function usePlacing({ draft, chosen, offer, onChange }: AgreementProps) {
  const { me } = useSession()
  const navigate = useNavigate()
  const toast = useToast()
  const queries = useQueryClient()
  const unpaid = useUnpaidOrders()
  const [sheet, setSheet] = useState<'pending' | 'accounts' | null>(null)
  const needsSignIn = !me && !offer.allowsGuests

  const refuse = async (error: Error) => {
    const code = error instanceof AppError ? error.code : 'INTERNAL'
    if (code === 'GUEST_CHECKOUT_OFF') navigate('/login')
    if (code === 'ACCOUNT_AMOUNTS_EXHAUSTED') setSheet('accounts')
    if (code === 'UNPAID_ORDER_EXISTS') {
      await unpaid.refetch()
      setSheet('pending')
    }
    if (code === 'PACKAGE_NOT_ON_SALE' || code === 'PACKAGE_NOT_FOUND') {
      toast({ kind: 'error', text: messageOf(error) })
      await queries.invalidateQueries()
      navigate(`/game/${draft.gameCode}?isback`, { replace: true })
    }
  }

  const place = useMutation({
    mutationFn: (wanted: Draft) => placeOrder(wanted, chosen, TERMS_VERSION),
    onSuccess: placed => {
      if (placed.kind === 'price-changed') {
        void queries.invalidateQueries()
        return onChange({ ...draft, actualPrice: placed.priceSatang })
      }
      const { orderNo, trackToken } = placed.order
      saveCurrentOrder(me ? { orderNo } : { orderNo, trackToken })
      savePlayer(draft.gameCode, { playerId: draft.playerId, playerName: placed.order.playerName })
      navigate('/payment', { replace: true })
    },
    onError: refuse,
  })
  const start = (wanted = draft) => {
    saveAcceptedTerms(TERMS_VERSION)
    if (needsSignIn) navigate('/login')
    else place.mutate(wanted)
  }
  return {
    isBusy: place.isPending,
    start: () => start(),
    notice: (
      <PlacingNotice
        error={place.error}
        newPriceSatang={place.data?.kind === 'price-changed' ? place.data.priceSatang : null}
        back={`/game/${draft.gameCode}?isback`}
      />
    ),
    sheets: (
      <>
        <OtherAccountsSheet
          open={sheet === 'accounts'}
          error={place.error}
          accounts={offer.accounts}
          onChoose={bank => {
            setSheet(null)
            const wanted = { ...draft, bank }
            onChange(wanted)
            start(wanted)
          }}
          onClose={() => setSheet(null)}
        />
        <PendingOrdersSheet
          open={sheet === 'pending'}
          orders={unpaid.orders}
          receivedAt={unpaid.receivedAt}
          onClose={() => setSheet(null)}
          onChanged={unpaid.refetch}
        />
      </>
    ),
  }
}
