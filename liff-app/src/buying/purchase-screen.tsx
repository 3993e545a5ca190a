import type { Game } from '@shop/shared/catalogue/endpoints.ts'
import { formatMinutes } from '@shop/shared/catalogue/minutes.ts'
import { sellingPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import type { WalletView } from '@shop/shared/wallet/endpoints.ts'
import { ChevronRight, Clock, Gamepad2, Zap } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { type ChangeDraft, createDraft, type Draft, getDraft, saveDraft, withChange } from '../draft.ts'
import { PendingOrdersSheet } from '../orders/pending-orders-sheet.tsx'
import { ResumeBanner } from '../orders/resume-banner.tsx'
import type { UnpaidOrders } from '../orders/unpaid-orders.ts'
import { usePageTitle } from '../page-title.ts'
import { useClosedInvitation } from '../settings/closed-note.ts'
import { findOffReason, type OfferedMethod, quantityLimitOf } from '../settings/limits.ts'
import { lastMethodOf } from '../settings/method-choice.ts'
import { payingOf } from '../settings/payment-methods.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { focusOn } from '../ui/focus-on.ts'
import { GameArt } from '../ui/game-art.tsx'
import { PayBar } from '../ui/pay-bar.tsx'
import { Empty, Failure, Pending, Skeleton } from '../ui/state.tsx'
import { StepSection } from '../ui/steps.tsx'
import { readProblemOf } from '../unanswered.ts'
import { CreditChoice } from './credit-choice.tsx'
import { type CreditPlan, creditPlanOf, isUsedAtFirst, payingWith, takesCredit } from './credit-plan.ts'
import { PackagePrice, PackageSection } from './package-section.tsx'
import { type ChoosableMethod, PaymentSection } from './payment-section.tsx'
import { PlacingNotice } from './placing-notice.tsx'
import { PlayerSection } from './player-section.tsx'
import { PurchaseSummary } from './purchase-summary.tsx'
import { QuantityStepper } from './quantity-stepper.tsx'
import { Regions } from './regions.tsx'
import {
  findChosen,
  findMissing,
  isConfirmed,
  neededFields,
  surchargeSatangOf,
  totalSatangOf,
  withObviousChoices,
} from './selection.ts'
import { ShareButton } from './share-button.tsx'
import { type Buyer, useBuyer } from './use-buyer.ts'
import { type GameOffer, type OfferedPackage, useOffer } from './use-offer.ts'

/** The page of one game, where player, payment and package are chosen; it leads on to the terms. */
export default function PurchaseScreen() {
  const { code = '' } = useParams()
  const offer = useOffer(code)
  const { me } = useSession()
  // Read before the page is drawn, because the players of earlier orders stand above the packages.
  const buyer = useBuyer(code)
  usePageTitle(offer.game?.name)
  const { search } = useLocation()
  if (offer.newCode) return <Navigate to={`/game/${offer.newCode}${search}`} replace />
  if (offer.error) return <OfferFailure error={offer.error} retry={offer.retry} />
  // Without its prices and limits nothing can be bought from a wallet; others buy without what can't be read.
  if (buyer.isLoadingError && buyer.error && me?.hasWallet) {
    return <OfferFailure error={buyer.error} retry={buyer.refetch} />
  }
  return (
    <Pending pending={offer.isPending || buyer.isLoading} skeleton={<PurchaseSkeleton />}>
      {() =>
        offer.game && (
          <Purchase
            key={code}
            game={offer.game}
            offer={offer}
            unpaid={buyer.unpaid}
            wallet={buyer.wallet}
            deliveries={buyer.deliveries}
            creditBalanceSatang={buyer.credit?.balanceSatang ?? 0}
            usesCredit={buyer.credit ? isUsedAtFirst(buyer.credit) : false}
          />
        )
      }
    </Pending>
  )
}

/** The kept selection for this game or a new one, with the package that a link may name. */
function startDraft(gameCode: string, packageId: string | null): Draft {
  const kept = getDraft()
  const draft = kept?.gameCode === gameCode ? kept : createDraft(gameCode)
  return packageId ? { ...draft, package: Number(packageId) || null } : draft
}

interface PurchaseProps extends Pick<Buyer, 'unpaid' | 'wallet' | 'deliveries'> {
  game: Game
  offer: GameOffer
  creditBalanceSatang: Satang
  /** Shop credit pays until the buyer says otherwise. */
  usesCredit: boolean
}

/** The selection and what follows from it: the chosen package, the limit of its quantity, and what is still missing. */
function useSelection({ game, offer, unpaid, wallet, creditBalanceSatang, usesCredit }: PurchaseProps) {
  const [search] = useSearchParams()
  const { me } = useSession()
  const lastMethod = lastMethodOf('lastPayment', me?.uid ?? null)
  const [kept, setKept] = useState((): Draft => ({ usesCredit, ...startDraft(game.code, search.get('package')) }))
  // An answer and a tap may come before the page is drawn again: each adds to what the other one has changed.
  const latest = useRef(kept)
  const methodsFor = (of: Draft) => listChoosable(offer, of, wallet, creditBalanceSatang)
  const shownOf = (of: Draft) => withObviousChoices(of, { ...offer, methods: methodsFor(of), lastMethod })
  const methods = methodsFor(kept)
  const choice = shownOf(kept)
  const method = methods.find(({ code }) => code === choice.paymentMethod)
  const buyable = offer.packages.filter(
    each =>
      each.payment === method?.code &&
      !each.isOut &&
      !offReasonOf(method, each, { draft: choice, wallet, creditBalanceSatang }),
  )
  const chosen = findChosen(buyable, choice)
  const asksQuantity = chosen && payingOf(chosen.payment).asksQuantity
  const limit = asksQuantity && wallet ? quantityLimitOf(sellingPriceOf(chosen), wallet) : null
  const draft = { ...choice, quantity: Math.min(choice.quantity ?? 1, limit?.most ?? 1) }
  // Only what the buyer chose is kept: what is shown until then may be another account or method the next time.
  const change: ChangeDraft = part => {
    const after = withChange(latest.current, part)
    const [was, is] = [shownOf(latest.current), shownOf(after)]
    const isSame = was.package === is.package && was.paymentMethod === is.paymentMethod
    const changed = isSame ? after : { ...after, actualPrice: priceOf(offer, is) }
    latest.current = changed
    setKept(changed)
    saveDraft(changed)
  }
  const credit = creditPlanOf(draft, chosen, creditBalanceSatang)
  const missing = findMissing(draft, {
    fields: [...neededFields(game.fields, offer.packages, chosen)],
    mustVerify: offer.mustVerify,
    hasUnpaidOrder: unpaid.orders.length > 0,
    packages: buyable,
    receivingAccountIds: offer.accounts.map(account => account.id),
    isPaidByCredit: credit?.coversAll ?? false,
  })
  const isBankChosen = kept.bank !== null || offer.accounts.length === 1
  const news = newsOf(draft, offer)
  return { draft, credit, methods, lastMethod, isBankChosen, change, chosen, limit, missing, news }
}

/** The payment methods, with why one can't be chosen for this package. */
const listChoosable = (
  { methods, packages }: GameOffer,
  draft: Draft,
  wallet: WalletView | null,
  creditBalanceSatang: Satang,
) =>
  methods.map((method): ChoosableMethod => {
    const sold = packages.find(({ id, payment }) => id === draft.package && payment === method.code)
    // What a wallet lacks for a package is told at the package.
    const reason =
      sold && method.terms
        ? offReasonOf(method, sold, { draft, wallet, creditBalanceSatang })
        : findOffReason(method, null, wallet)
    return { ...method, reason }
  })

/** Why a package can't be paid this way; what shop credit pays of it needs no method. */
function offReasonOf(
  method: OfferedMethod,
  sold: OfferedPackage,
  { draft, wallet, creditBalanceSatang }: { draft: Draft } & Pick<PurchaseProps, 'wallet' | 'creditBalanceSatang'>,
): string | undefined {
  const credit = creditPlanOf(draft, sold, creditBalanceSatang)
  return findOffReason(method, credit?.coversAll ? null : sellingPriceOf(sold) - (credit?.satang ?? 0), wallet)
}

/** The price of one piece of the selected package, or null. It is kept to notice a change. */
function priceOf(offer: GameOffer, draft: Draft): Satang | null {
  const found = findChosen(offer.packages, draft)
  return found ? sellingPriceOf(found) : null
}

/** Tells whether the selected package is no longer sold, is sold out, or is sold at another price than was shown. */
function newsOf(draft: Draft, offer: GameOffer) {
  const isGone = draft.package !== null && offer.packages.every(({ id }) => id !== draft.package)
  const isOut = offer.packages.some(({ id, isOut }) => isOut && id === draft.package)
  const now = priceOf(offer, draft)
  const isOther = now !== null && draft.actualPrice !== null && now !== draft.actualPrice
  const error = isGone ? new AppError('PACKAGE_NOT_ON_SALE') : isOut ? new AppError('SOLD_OUT') : null
  return { error, newPriceSatang: isOther && !isOut ? now : null }
}

function Purchase(props: PurchaseProps) {
  const { game, offer, unpaid, wallet, deliveries, creditBalanceSatang } = props
  const { draft, credit, methods, lastMethod, isBankChosen, change, chosen, limit, missing, news } = useSelection(props)
  const [hasTried, setTried] = useState(false)
  const pending = usePendingOrders(unpaid)
  const navigate = useNavigate()
  const goOn = () => {
    saveDraft({ ...draft, actualPrice: chosen ? sellingPriceOf(chosen) : null, acceptedWarning: undefined })
    navigate('/terms', { state: { isFromForm: true } })
  }
  const showMissing = () => {
    setTried(true)
    if (missing?.target === 'pending-orders') pending.show()
    else if (missing) focusOn(missing.target)
  }
  const goOnButton = (
    <Button block unmet={missing?.label} onUnmet={showMissing} onClick={goOn}>
      ดำเนินการต่อ
    </Button>
  )
  const total = totalOf(draft, chosen, offer, credit)
  const steps = listSteps(missing?.target)
  // A check mark would say that the id is right, which is known only if the game was asked.
  const isChecked = offer.mustVerify && isConfirmed(draft)
  const hasPlayers = neededFields(game.fields, offer.packages, undefined).length > 0
  const needed = neededFields(game.fields, offer.packages, chosen)
  const firstStep = hasPlayers ? 1 : 0
  return (
    <>
      <Breadcrumb name={game.name} />
      <ResumeBanner orders={unpaid.orders} receivedAt={unpaid.receivedAt} isBlocking />
      <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_21.5rem] lg:gap-10">
        <div className="pb-6">
          <GameHead game={game} hasPlayers={hasPlayers} />
          {hasPlayers && (
            <StepSection number={1} done={steps.player && isChecked} title="ข้อมูลผู้เล่น">
              <PlayerSection
                game={game}
                mustVerify={offer.mustVerify}
                deliveries={deliveries}
                draft={draft}
                hasTried={hasTried && needed.length > 0}
                onChange={change}
              />
            </StepSection>
          )}
          <StepSection number={firstStep + 1} done={steps.package} title="เลือกแพ็กเกจ">
            <Regions names={offer.regions} />
            <PlacingNotice className="mb-3" {...news} />
            <PackageSection
              packages={offer.packages}
              methods={offer.methods}
              wallet={wallet}
              draft={draft}
              onChange={change}
            />
            {limit && (
              <QuantityStepper
                value={draft.quantity}
                most={limit.most}
                help={limit.reason}
                onChange={quantity => change({ quantity })}
              />
            )}
          </StepSection>
          <StepSection number={firstStep + 2} done={steps.payment} title="วิธีชำระเงิน">
            {creditBalanceSatang > 0 && draft.paymentMethod && takesCredit(draft.paymentMethod) && (
              <CreditChoice balanceSatang={creditBalanceSatang} plan={credit} draft={draft} onChange={change} />
            )}
            {!credit?.coversAll && (
              <PaymentSection
                methods={methods}
                lastMethod={lastMethod}
                priceSatang={chosen ? totalSatangOf(draft, chosen) - (credit?.satang ?? 0) : null}
                accounts={offer.accounts}
                wallet={wallet}
                draft={draft}
                onChange={change}
              />
            )}
          </StepSection>
        </div>
        <PurchaseSummary
          game={{ ...game, fields: [...needed] }}
          draft={isBankChosen ? draft : { ...draft, bank: null }}
          chosen={chosen}
          credit={credit}
          accounts={offer.accounts}
          {...total}
          button={goOnButton}
        />
      </div>
      <PayBar {...total}>{goOnButton}</PayBar>
      <PendingOrdersSheet open={pending.isOpen} unpaid={unpaid} onClose={pending.hide} />
    </>
  )
}

/** What the bar and the summary show before their button: the total, and the lowest price until a package is chosen. */
function totalOf(
  draft: Draft,
  chosen: OfferedPackage | undefined,
  { packages, methods }: GameOffer,
  credit: CreditPlan | null,
) {
  if (chosen) {
    const creditSatang = credit?.satang ?? 0
    const surchargeSatang = surchargeSatangOf(draft, chosen, methods, creditSatang)
    const satang = totalSatangOf(draft, chosen) - creditSatang + surchargeSatang
    const label = creditSatang > 0 ? 'หักเครดิตร้านแล้ว' : surchargeSatang > 0 ? 'รวมภาษีและค่าธรรมเนียมแล้ว' : 'รวมภาษีแล้ว'
    return { label, total: <PackagePrice satang={satang} payment={payingWith(credit, chosen.payment)} /> }
  }
  const offered = packages.filter(({ payment, isOut }) => payment === draft.paymentMethod && !isOut)
  const [cheapest] = offered.toSorted((a, b) => sellingPriceOf(a) - sellingPriceOf(b))
  if (!cheapest) return {}
  return { label: 'เริ่มต้น', total: <PackagePrice satang={sellingPriceOf(cheapest)} payment={cheapest.payment} /> }
}

/** Unpaid orders are shown once on arrival, and again when asked for. */
function usePendingOrders(unpaid: UnpaidOrders) {
  const [isOpen, setOpen] = useState(false)
  const wasShown = useRef(false)
  const hasUnpaid = unpaid.orders.length > 0
  useEffect(() => {
    if (!hasUnpaid || wasShown.current) return
    wasShown.current = true
    setOpen(true)
  }, [hasUnpaid])
  return { isOpen, show: () => setOpen(true), hide: () => setOpen(false) }
}

/** Which steps are done, found from the first thing that is missing. */
function listSteps(target: string | undefined) {
  const order = ['package', 'bank', 'pending-orders']
  const reached = target === undefined ? order.length : order.indexOf(target)
  return { player: reached >= 0, package: reached >= 1, payment: reached >= 2 }
}

const Breadcrumb = ({ name }: { name: string }) => (
  <nav aria-label="ตำแหน่งหน้า" className="mb-3 hidden items-center gap-2 text-ink-2 text-small lg:flex">
    <Link to="/game" className="py-3 hover:text-accent hover:underline">
      เลือกเกม
    </Link>
    <ChevronRight size={16} />
    <span aria-current="page">{name}</span>
  </nav>
)

function GameHead({ game, hasPlayers }: { game: Game; hasPlayers: boolean }) {
  const closedNote = useClosedInvitation()
  const Icon = closedNote ? Clock : Zap
  return (
    <div className="flex flex-wrap items-center gap-3 lg:gap-4">
      <GameArt picture={game.picture} className="size-14 rounded-card" />
      <div className="min-w-[min(8rem,100%)] flex-1">
        <h1 className="text-total lg:text-title-wide">{game.name}</h1>
        <p className="flex items-start gap-1.5 text-ink-2 text-small">
          <Icon size={16} className="mt-0.5 flex-none" />
          <span>
            {closedNote ?? (
              <>
                {hasPlayers ? 'ปกติเข้าเกมใน' : 'ปกติได้รหัสใน'}{' '}
                <span className="whitespace-nowrap">{formatMinutes(game.usualMinutes)}</span>
              </>
            )}
          </span>
        </p>
      </div>
      <ShareButton game={game} />
      {game.desc && <p className="basis-full text-ink-2 text-small">{game.desc}</p>}
    </div>
  )
}

function OfferFailure({ error, retry }: { error: Error; retry: () => Promise<unknown> }) {
  if (!(error instanceof AppError && error.code === 'GAME_NOT_FOUND')) {
    return <Failure text={readProblemOf(error)} onRetry={() => void retry()} />
  }
  return (
    <>
      <h1 className="sr-only">เลือกแพ็กเกจ</h1>
      <Empty icon={Gamepad2} title={messageOf(error)} action={<ButtonLink to="/game">เลือกเกม</ButtonLink>} />
    </>
  )
}

const PurchaseSkeleton = () => (
  <>
    <div className="flex items-center gap-3 lg:mt-9">
      <Skeleton className="size-14 rounded-card" />
      <Skeleton className="h-10 w-48" />
    </div>
    <Skeleton className="mt-6 h-28 lg:max-w-172" />
    <Skeleton className="mt-10 h-40 lg:max-w-172" />
    <Skeleton className="mt-10 h-64 lg:max-w-172" />
  </>
)
