import type { Delivers } from '@shop/shared/catalogue/delivers.ts'
import type { PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import { AppError, type ErrorCode, errorMessage } from '@shop/shared/errors.ts'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, ContactRound, QrCode, ShieldCheck, Timer } from 'lucide-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { clearPurchase, getCurrentOrder } from '../current-order.ts'
import { type Draft, getAcceptedTerms, getDraft, purchasePathOf, saveDraft } from '../draft.ts'
import { deliveryOf } from '../orders/order-progress.ts'
import { ResumeBanner } from '../orders/resume-banner.tsx'
import { useClosedNote } from '../settings/closed-note.ts'
import { payingOf } from '../settings/payment-methods.tsx'
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
import { payingWith } from './credit-plan.ts'
import { expiryText } from './package-section.tsx'
import { PlacingNotice } from './placing-notice.tsx'
import { PlacingSheets } from './placing-sheets.tsx'
import { findChosen } from './selection.ts'
import { TermsSheet } from './terms-sheet.tsx'
import { TermsSummary } from './terms-summary.tsx'
import { isAcceptedBy } from './told-terms.ts'
import { useBuyer } from './use-buyer.ts'
import { type GameOffer, type OfferedPackage, useOffer } from './use-offer.ts'
import { type PlacingProps, usePlacing } from './use-placing.ts'
import { WarningBox } from './warning-box.tsx'

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
  const { me } = useSession()
  const buyer = useBuyer(draft.gameCode, { isOfPageBefore: true })
  const chosen = findChosen(offer.packages, draft)
  const change = (next: Draft) => {
    setDraft(next)
    saveDraft(next)
  }
  if (offer.error) return <Failure text={readProblemOf(offer.error)} onRetry={() => void offer.retry()} />
  // Without the credit that the buyer wants to use, another amount would be asked for.
  if (draft.usesCredit && buyer.isLoadingError)
    return <Failure text={readProblemOf(buyer.error)} onRetry={() => void buyer.refetch()} />
  if (terms.isLoadingError) {
    return (
      <Failure text="ไม่สามารถโหลดเงื่อนไขได้ กรุณาลองอีกครั้ง" busy={terms.isFetching} onRetry={() => void terms.refetch()} />
    )
  }
  return (
    <Pending pending={offer.isPending || !terms.data || buyer.isLoading} skeleton={<Skeleton className="h-80" />}>
      {() =>
        chosen && !chosen.isOut && terms.data ? (
          <Agreement
            draft={draft}
            chosen={chosen}
            offer={offer}
            buyer={buyer}
            terms={terms.data}
            isAccepted={isAcceptedBy(me?.uid ?? null, terms.data.version, buyer.acceptedTerms)}
            onChange={change}
          />
        ) : (
          <NotOnSale gameCode={draft.gameCode} why={chosen?.isOut ? 'SOLD_OUT' : 'PACKAGE_NOT_ON_SALE'} />
        )
      }
    </Pending>
  )
}

const NotOnSale = ({ gameCode, why }: { gameCode: string; why: ErrorCode }) => (
  <>
    <h1 className="page-title mb-4">ตรวจสอบคำสั่งซื้อ</h1>
    <Note kind="warn" role="alert">
      {errorMessage(why)}
    </Note>
    <ButtonLink to={purchasePathOf(gameCode)} replace block className="mt-4">
      เลือกแพ็กเกจใหม่
    </ButtonLink>
  </>
)

/**
 * Whether the buyer has accepted the terms on the screen. Each version is asked for once; when the terms on the screen
 * change, they have to be accepted again.
 */
function useAgreement({ version }: ShownTerms, isAccepted: boolean) {
  // Kept from the first drawing, so that the question does not vanish while its answer is being sent.
  const [told] = useState(isAccepted ? version : null)
  const [accepted] = useState(getAcceptedTerms)
  const [ticked, setTicked] = useState(accepted)
  // The version under which the buyer has gone on, or that was shown first.
  const [known, setKnown] = useState(accepted ?? version)
  return {
    isAsked: told !== version,
    isGiven: told === version || ticked === version,
    tick: (isOn: boolean) => setTicked(isOn ? version : null),
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

function Agreement({ isAccepted, ...props }: PlacingProps & { isAccepted: boolean }) {
  const { draft, chosen, offer, buyer, terms } = props
  const agreement = useAgreement(terms, isAccepted)
  const [sheet, setSheet] = useState<'terms' | 'cancel' | null>(null)
  const navigate = useNavigate()
  const placing = usePlacing(props)
  const payment = payingWith(placing.credit, chosen.payment)
  const back = purchasePathOf(draft.gameCode)
  const isWarned = !chosen.warning || draft.acceptedWarning === chosen.warning
  const unmet = !isWarned ? WARNING_UNMET : agreement.isGiven ? undefined : TERMS_UNMET
  const error = placing.error ?? (agreement.hasChanged ? new AppError('TERMS_CHANGED') : null)
  const goOn = () => {
    agreement.goOn()
    placing.start()
  }
  useGoingOn(!unmet && placing.newPriceSatang === null, goOn)
  const close = () => setSheet(null)
  const cancel = () => {
    clearPurchase()
    navigate('/game', { replace: true })
  }
  return (
    <div className="mx-auto max-w-160 pb-6">
      <ResumeBanner orders={buyer.unpaid.orders} receivedAt={buyer.unpaid.receivedAt} isBlocking />
      <h1 className={inLiff ? 'page-title mb-3' : 'sr-only lg:not-sr-only lg:page-title lg:mb-4'}>ตรวจสอบคำสั่งซื้อ</h1>
      <TermsSummary draft={draft} chosen={chosen} offer={offer} credit={placing.credit} edit={<EditLink to={back} />} />
      <PlacingNotice error={error} newPriceSatang={placing.newPriceSatang} back={back} />
      <KeyTerms offer={offer} chosen={chosen} asksExact={!agreement.isAsked && payingOf(payment).asksAccount} />
      <Button kind="quiet" size="inline" className="-ml-3" aria-haspopup="dialog" onClick={() => setSheet('terms')}>
        อ่านเงื่อนไขการให้บริการทั้งหมด
      </Button>
      {!agreement.isAsked && <p className="text-ink-2 text-note">คุณยอมรับเงื่อนไขฉบับนี้ไว้แล้ว</p>}
      {chosen.warning && (
        <WarningBox
          text={chosen.warning}
          isGiven={isWarned}
          onTick={isOn => props.onChange({ ...draft, acceptedWarning: isOn ? chosen.warning : undefined })}
        />
      )}
      {agreement.isAsked && <TermsBox payment={payment} agreement={agreement} />}
      <PayBar wide="static">
        <Button
          unmet={unmet?.label}
          onUnmet={() => unmet && focusOn(unmet.target)}
          busy={placing.isBusy}
          busyLabel="กำลังสร้างรายการ"
          onClick={goOn}
        >
          {placing.confirmLabel}
        </Button>
      </PayBar>
      <button
        type="button"
        className="mx-auto mt-2 block min-h-11 px-4 text-ink-2 text-small hover:underline"
        onClick={() => setSheet('cancel')}
      >
        ยกเลิก
      </button>
      <PlacingSheets placing={placing} draft={draft} chosen={chosen} offer={offer} terms={terms} />
      <TermsSheet terms={terms} open={sheet === 'terms'} onClose={close} />
      <ConfirmDialog
        open={sheet === 'cancel'}
        title="ยกเลิกคำสั่งซื้อ"
        text="คุณต้องการยกเลิกคำสั่งซื้อหรือไม่?"
        confirmLabel="ยกเลิกคำสั่งซื้อ"
        keepLabel="สั่งซื้อต่อ"
        onConfirm={cancel}
        onClose={close}
      />
    </div>
  )
}

/** Leads back to the form: to the very page that led here, if it did, so that Back does not come to it twice. */
function EditLink({ to }: { to: string }) {
  const { state } = useLocation()
  const navigate = useNavigate()
  const goBack = (event: MouseEvent) => {
    if ((state as { isFromForm?: boolean } | null)?.isFromForm !== true) return
    event.preventDefault()
    navigate(-1)
  }
  return (
    <ButtonLink kind="tint" size="inline" to={to} replace aria-label="ย้อนกลับไปแก้ไข" onClick={goBack}>
      แก้ไข
    </ButtonLink>
  )
}

const WARNING_UNMET = { label: 'อ่านและยอมรับข้อควรรู้ก่อน', target: 'warning-box' }
const TERMS_UNMET = { label: 'ยอมรับเงื่อนไขก่อน', target: 'terms-box' }

interface TermsBoxProps {
  payment: PaymentCode
  agreement: ReturnType<typeof useAgreement>
}

const TermsBox = ({ payment, agreement: { isGiven, tick } }: TermsBoxProps) => (
  <div id="terms-box" className="mt-1.5 border-line border-t">
    <CheckboxRow checked={isGiven} onChange={event => tick(event.target.checked)}>
      ยอมรับเงื่อนไขการให้บริการ
      {payingOf(payment).asksAccount && (
        <>
          {' และจะโอนเงินให้ตรงทุกสตางค์ '}
          <b className="font-semibold">ไม่ปัดเศษ</b>
        </>
      )}
    </CheckboxRow>
  </div>
)

const KEY_TERMS = {
  top_up: { arrives: 'เข้าเกม', failed: 'เติมไม่สำเร็จ' },
  code: { arrives: 'ได้รับรหัส', failed: 'ส่งรหัสไม่ได้' },
} satisfies Record<Delivers, { arrives: string; failed: string }>

interface KeyTermsProps {
  offer: GameOffer
  chosen: OfferedPackage
  asksExact: boolean
}

/**
 * What the buyer must know: when it comes, what happens if it can't, and what is their own to check. `asksExact`: also
 * that the transfer has to be exact, where no box to tick says it.
 */
function KeyTerms({ offer: { game }, chosen: { delivers, soonestExpiry }, asksExact }: KeyTermsProps) {
  const closedNote = useClosedNote()
  const { arrives, failed } = KEY_TERMS[delivers]
  const delivery = closedNote ?? (game ? `${arrives}หลังได้รับเงิน ${deliveryOf(game)}` : '')
  const terms = [
    { icon: Timer, text: delivery },
    { icon: ShieldCheck, text: `${failed} ร้านคืนเงินเต็มจำนวน` },
    ...(soonestExpiry ? [{ icon: CalendarClock, text: `รหัสที่ได้${expiryText(soonestExpiry)}` }] : []),
    ...(delivers === 'top_up' ? [{ icon: ContactRound, text: 'กรอก ID ผิด คืนไม่ได้' }] : []),
    ...(asksExact ? [{ icon: QrCode, text: 'โอนให้ตรงทุกสตางค์ ร้านจึงพบยอดของคุณ' }] : []),
  ]
  return (
    <>
      <h2 className="mt-5 mb-2 text-section">เงื่อนไขสำคัญ</h2>
      <ul className="text-small">
        {terms.map(({ icon: Icon, text }) => (
          <li key={text} className="flex items-start gap-2.5 py-1">
            <Icon size={18} className="mt-0.5 flex-none text-ink-2" />
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}
