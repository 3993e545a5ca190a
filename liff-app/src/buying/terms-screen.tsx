import { AppError } from '@shop/shared/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { ContactRound, History, Timer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import { clearPurchase, getCurrentOrder } from '../current-order.ts'
import { type Draft, getAcceptedTerms, getDraft, purchasePathOf, saveDraft } from '../draft.ts'
import { deliveryOf } from '../orders/order-progress.ts'
import { useClosedNote } from '../settings/closed-note.ts'
import { type ShownTerms, TERMS_QUERY } from '../settings/terms.ts'
import { inLiff } from '../shop.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { CheckboxRow } from '../ui/checkbox-row.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { focusOn } from '../ui/focus-on.ts'
import { Note } from '../ui/note.tsx'
import { PayBar } from '../ui/pay-bar.tsx'
import { Failure, Pending, Skeleton } from '../ui/state.tsx'
import { readProblemOf } from '../unanswered.ts'
import { PAYMENT_METHODS } from './payment-methods.tsx'
import { PlacingNotice } from './placing-notice.tsx'
import { PlacingSheets } from './placing-sheets.tsx'
import { findChosen } from './selection.ts'
import { TermsSheet } from './terms-sheet.tsx'
import { TermsSummary } from './terms-summary.tsx'
import { useOffer } from './use-offer.ts'
import { type PlacingProps, usePlacing } from './use-placing.ts'

/** The last page before ordering, which shows goods, price and terms. */
export default function TermsScreen() {
  const [draft] = useState(getDraft)
  if (!draft?.package) return <Navigate to="/game" replace />
  if (getAcceptedTerms() && getCurrentOrder()) return <Navigate to="/payment" replace />
  return <Terms kept={draft} />
}

function Terms({ kept }: { kept: Draft }) {
  const [draft, setDraft] = useState(kept)
  const offer = useOffer(draft.gameCode)
  const terms = useQuery(TERMS_QUERY)
  const chosen = findChosen(offer.packages, draft)
  const change = (next: Draft) => {
    setDraft(next)
    saveDraft(next)
  }
  if (offer.error) return <Failure text={readProblemOf(offer.error)} onRetry={() => void offer.retry()} />
  if (terms.isLoadingError) {
    return (
      <Failure text="ไม่สามารถโหลดเงื่อนไขได้ กรุณาลองอีกครั้ง" busy={terms.isFetching} onRetry={() => void terms.refetch()} />
    )
  }
  return (
    <Pending pending={offer.isPending || !terms.data} skeleton={<Skeleton className="h-80" />}>
      {() =>
        chosen && terms.data ? (
          <Agreement draft={draft} chosen={chosen} offer={offer} terms={terms.data} onChange={change} />
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
    <ButtonLink to={purchasePathOf(gameCode)} replace block className="mt-4">
      เลือกแพ็กเกจใหม่
    </ButtonLink>
  </>
)

/**
 * The state of the checkboxes. When the terms on the screen change, they have to be ticked again.
 * @param asksExact whether the buyer must also agree to transfer the amount exact to the satang
 */
function useAgreement({ version }: ShownTerms, asksExact: boolean) {
  const [accepted] = useState(getAcceptedTerms)
  const [ticked, setTicked] = useState({
    version: accepted ?? version,
    terms: accepted !== null,
    exact: accepted !== null,
  })
  // The version under which the buyer has gone on, or that was shown first.
  const [known, setKnown] = useState(ticked.version)
  const isCurrent = ticked.version === version
  return {
    terms: ticked.terms && isCurrent,
    exact: !asksExact || (ticked.exact && isCurrent),
    asksExact,
    tick: (boxes: { terms: boolean; exact: boolean }) => setTicked({ version, ...boxes }),
    hasChanged: known !== version,
    goOn: () => setKnown(version),
  }
}

/** Calls `goOn` once when the buyer comes back from a sign-in, since they have agreed to the terms before it. */
function useGoingOn(isReady: boolean, goOn: () => void) {
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  const wanted = (state as { goesOn?: boolean } | null)?.goesOn === true
  const gone = useRef(false)
  useEffect(() => {
    if (!wanted || gone.current) return
    gone.current = true
    // This drops the wish from the history, so that a reload after a failure does not order again.
    navigate(pathname, { replace: true })
    if (isReady) goOn()
  })
}

function Agreement(props: PlacingProps) {
  const { draft, chosen, offer, terms } = props
  const agreement = useAgreement(terms, PAYMENT_METHODS[chosen.payment].asksAccount)
  const [sheet, setSheet] = useState<'terms' | 'cancel' | null>(null)
  const navigate = useNavigate()
  const placing = usePlacing(props)
  const back = purchasePathOf(draft.gameCode)
  const closedNote = useClosedNote()
  const delivery = closedNote ?? (offer.game ? `เข้าเกมหลังได้รับเงิน ${deliveryOf(offer.game, null)}` : '')
  const unmet = agreement.terms && agreement.exact ? undefined : 'ยอมรับเงื่อนไขก่อน'
  const error = placing.error ?? (agreement.hasChanged ? new AppError('TERMS_CHANGED') : null)
  const goOn = () => {
    agreement.goOn()
    placing.start()
  }
  useGoingOn(unmet === undefined && placing.newPriceSatang === null, goOn)
  const close = () => setSheet(null)
  const cancel = () => {
    clearPurchase()
    navigate('/game', { replace: true })
  }
  return (
    <div className="mx-auto max-w-160 pb-6">
      <h1 className={inLiff ? 'page-title' : 'sr-only lg:not-sr-only lg:page-title'}>ตรวจสอบคำสั่งซื้อ</h1>
      <TermsSummary draft={draft} chosen={chosen} offer={offer} />
      <PlacingNotice error={error} newPriceSatang={placing.newPriceSatang} back={back} />
      <h2 className="mt-5 mb-2 text-section">เงื่อนไขสำคัญ</h2>
      <KeyTerms delivery={delivery} />
      <Button kind="quiet" size="inline" className="-ml-3" aria-haspopup="dialog" onClick={() => setSheet('terms')}>
        อ่านเงื่อนไขการให้บริการทั้งหมด
      </Button>
      <TermsBoxes agreement={agreement} />
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
          onClick={goOn}
        >
          {placing.confirmLabel}
        </Button>
      </PayBar>
      <PlacingSheets placing={placing} draft={draft} chosen={chosen} offer={offer} terms={terms} />
      <TermsSheet terms={terms} open={sheet === 'terms'} onClose={close} />
      <ConfirmDialog
        open={sheet === 'cancel'}
        title="ยกเลิกคำสั่งซื้อ"
        text="คุณต้องการยกเลิกคำสั่งซื้อหรือไม่?"
        confirmLabel="ยกเลิกคำสั่งซื้อ"
        keepLabel="กลับไปตรวจสอบ"
        onConfirm={cancel}
        onClose={close}
      />
    </div>
  )
}

function TermsBoxes({ agreement: { terms, exact, asksExact, tick } }: { agreement: ReturnType<typeof useAgreement> }) {
  return (
    <div id="terms-boxes" className="mt-1.5 divide-y divide-line border-line border-t">
      <CheckboxRow checked={terms} onChange={event => tick({ exact, terms: event.target.checked })}>
        ยอมรับเงื่อนไขการให้บริการ
      </CheckboxRow>
      {asksExact && (
        <CheckboxRow checked={exact} onChange={event => tick({ terms, exact: event.target.checked })}>
          จะโอนเงินให้ตรงทุกสตางค์ <b className="font-semibold">ไม่ปัดเศษ</b>
        </CheckboxRow>
      )}
    </div>
  )
}

const keyTermsOf = (delivery: string) => [
  { icon: Timer, text: delivery },
  { icon: History, text: 'ไม่สามารถยกเลิกหรือคืนเงินหลังทำรายการ' },
  { icon: ContactRound, text: 'กรอก ID ผิด ไม่สามารถคืนเงินได้' },
]

const KeyTerms = ({ delivery }: { delivery: string }) => (
  <ul className="text-small">
    {keyTermsOf(delivery).map(({ icon: Icon, text }) => (
      <li key={text} className="flex items-start gap-2.5 py-1">
        <Icon size={18} className="mt-0.5 flex-none text-ink-2" />
        {text}
      </li>
    ))}
  </ul>
)
