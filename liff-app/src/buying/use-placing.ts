import { sellingPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { getBuyer } from '@shop/shared/credit/buyer-endpoints.ts'
import type { CreditView } from '@shop/shared/credit/endpoints.ts'
import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import { getOrder } from '@shop/shared/order/endpoints.ts'
import { purchaseBarrier } from '@shop/shared/order/purchase.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { useRefreshCredit } from '../account/use-credit.ts'
import { api } from '../api.ts'
import { saveCurrentOrder } from '../current-order.ts'
import { type Draft, purchasePathOf, saveAcceptedTerms } from '../draft.ts'
import { keepLastMethod } from '../settings/method-choice.ts'
import { payingOf } from '../settings/payment-methods.tsx'
import { type ShownTerms, TERMS_QUERY } from '../settings/terms.ts'
import { useToast } from '../ui/toast.tsx'
import { useGoOn, useIsLeft } from '../ui/use-go-on.ts'
import { isUnanswered } from '../unanswered.ts'
import { useRefreshWallet } from '../wallet/use-wallet.ts'
import { type CreditPlan, creditPlanOf, payingWith } from './credit-plan.ts'
import { isAboutPin } from './pin-sheet.tsx'
import { findNewPrice, isPlacing, NotRead, placeOrder, type Selection } from './place-order.ts'
import { savePlayer } from './saved-players.ts'
import { quantityOf, totalSatangOf } from './selection.ts'
import { tellAcceptance } from './told-terms.ts'
import type { Buyer } from './use-buyer.ts'
import type { GameOffer, OfferedPackage } from './use-offer.ts'

export interface PlacingProps {
  draft: Draft
  chosen: OfferedPackage
  offer: GameOffer
  buyer: Pick<Buyer, 'wallet' | 'credit' | 'unpaid'>
  /** The terms on the screen, which the buyer accepts and the order names. */
  terms: ShownTerms
  onChange: (draft: Draft) => void
}

type PlacingSheet = 'pin' | 'accounts' | 'pending' | 'terms'

/** Orders the selection at the price on the screen: asks for the PIN when it is paid from the wallet, and sends it. */
export function usePlacing({ draft, chosen, offer, buyer, terms, onChange }: PlacingProps) {
  const { me } = useSession()
  const navigate = useNavigate()
  const { unpaid, wallet, credit: held } = buyer
  const isLeft = useIsLeft()
  const [sheet, setSheet] = useState<PlacingSheet | null>(null)
  // A PIN orders the selection that was checked before it was asked for, even if the page changes meanwhile.
  const [ready, setReady] = useState<Selection | null>(null)
  const credit = creditPlanOf(draft, chosen, held?.balanceSatang ?? 0)
  const paying = payingOf(payingWith(credit, chosen.payment))
  const { confirmLabel, asksPin: isByWallet } = paying
  const asksPin = isByWallet || asksPinFor(credit, held)

  const refuse = useRefusal(draft, { showSheet: setSheet, refetchUnpaid: unpaid.refetch })
  const sending = useSending({ asksPin, paying, onRefused: refuse })
  const preparing = usePreparing({
    onReady: selection => {
      // Whoever went back while the balance was looked up has changed their mind: nothing was ordered yet.
      if (isLeft()) return
      setReady(selection)
      setSheet('pin')
    },
    onRefused: refuse,
  })
  const shownSatang = sellingPriceOf(chosen)
  const isOther = draft.actualPrice !== null && draft.actualPrice !== shownSatang
  const refusedSatang = findNewPrice(sending.error)
  const newPriceSatang = refusedSatang ?? (isOther ? shownSatang : null)
  // The PIN sheet closes when the price changes while it is open, so that no PIN pays an unseen price.
  const openSheet = sheet === 'pin' && newPriceSatang !== null && !sending.isBusy ? null : sheet

  const isBusy = preparing.isPending || sending.isBusy
  const start = (changed?: Partial<Draft>) => {
    if (isBusy) return
    sending.reset()
    preparing.reset()
    setSheet(null)
    // The buyer has seen the price that the page shows now.
    const wanted = { ...draft, ...changed, actualPrice: shownSatang }
    onChange(wanted)
    // Kept terms lead back here after a sign-in. Owners of a wallet are signed in already.
    if (!asksPin) saveAcceptedTerms(terms.version)
    if (!me && !offer.allowsGuests) return navigate('/login')
    tellAcceptance(terms.version, me?.uid ?? null)
    const selection = { draft: wanted, chosen, termsVersion: terms.version, credit }
    if (asksPin) preparing.mutate(selection)
    else sending.send(selection)
  }
  const isInPinSheet = asksPin && isAboutPin(sending.error)
  return {
    confirmLabel,
    isBusy,
    start: () => start(),
    /** Why nothing was ordered, unless the PIN sheet says it itself. */
    error: preparing.error ?? (isInPinSheet ? null : sending.error),
    /** The price of one piece when it is no longer the one that was shown, else null. */
    newPriceSatang,
    sheet: openSheet,
    closeSheet: () => {
      if (sheet === 'pin') sending.reset()
      setSheet(null)
    },
    /** What the PIN opens: the buyer's wallet, or what shop credit pays of the order. */
    purse: isByWallet ? purseOf(wallet, totalSatangOf(draft, chosen)) : purseOf(held, credit?.satang ?? 0),
    credit,
    unpaid,
    pin: {
      isBusy: sending.isBusy,
      error: sending.error,
      enter: (pin: string) => ready && sending.send({ ...ready, pin }),
    },
    /** Orders with another receiving account. */
    chooseAccount: (bank: number) => start({ bank }),
  }
}
export type Placing = ReturnType<typeof usePlacing>

/** Whether the PIN is asked for: the server asks for it once more has left than the shop lets go without. */
const asksPinFor = (credit: CreditPlan | null, held: CreditView | null): boolean =>
  credit !== null && held !== null && credit.satang > held.withoutPinSatang

type Held = Pick<CreditView, 'balanceSatang' | 'pin' | 'nowDate'>
/** What the PIN opens, and how much of it is spent. */
const purseOf = (held: Held | null | undefined, spentSatang: Satang) => held && { ...held, spentSatang }

const FRESH = { staleTime: 0, retry: false, networkMode: 'always' } as const

/** Marks a missing answer as a failure to read, because nothing was ordered yet. */
function tellNotRead(cause: unknown): never {
  throw isUnanswered(cause) ? new NotRead() : cause
}

interface PreparingProps {
  onReady: (selection: Selection) => void
  onRefused: (error: Error) => void
}

/** Checks a purchase by the balance of now before the PIN is asked for. */
function usePreparing({ onReady, onRefused }: PreparingProps) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (selection: Selection) => {
      const { draft, chosen, credit } = selection
      const query = api.query(getBuyer, { params: { gameCode: draft.gameCode } })
      const fresh = await queries.fetchQuery({ ...query, ...FRESH }).catch(tellNotRead)
      // An earlier try of the same request may have made the order already, at the price and balance of that time.
      if (isPlacing(selection)) return
      if (credit && fresh.credit) mustHold(credit, fresh.credit)
      const [quantity, unitPriceSatang] = [quantityOf(draft), sellingPriceOf(chosen)]
      const paying = { quantity, unitPriceSatang, wallet: fresh.wallet, creditBalanceSatang: 0 }
      const barrier = purchaseBarrier({ payment: chosen.payment, ...paying })
      if (barrier) throw barrier
    },
    onSuccess: (_, selection) => onReady(selection),
    onError: onRefused,
  })
}

/** @throws CREDIT_TOO_LOW when it was spent meanwhile, CREDIT_PIN_NOT_SET */
function mustHold({ satang }: CreditPlan, { balanceSatang, withoutPinSatang, pin }: CreditView): void {
  if (balanceSatang < satang) throw new AppError('CREDIT_TOO_LOW')
  if (satang > withoutPinSatang && !pin) throw new AppError('CREDIT_PIN_NOT_SET')
}

interface SendingProps {
  asksPin: boolean
  paying: ReturnType<typeof payingOf>
  onRefused: (error: Error) => void
}
interface Sent extends Selection {
  pin?: string
}

/** Sends the order and leads on to its page. Failures about the PIN are not told to `onRefused`. */
function useSending({ asksPin, paying: { donePath, late }, onRefused }: SendingProps) {
  // This is set within the tap itself, because the PIN pad is emptied when it ends, however soon the answer comes.
  const [isBusy, setBusy] = useState(false)
  const { me } = useSession()
  const goOn = useGoOn()
  const refreshWallet = useRefreshWallet()
  const refreshCredit = useRefreshCredit()
  const queries = useQueryClient()
  const place = useMutation({
    mutationFn: ({ pin, ...selection }: Sent) => placeOrder(selection, pin),
    onSuccess: (order, { draft, chosen, credit }) => {
      const { orderNo, trackToken, playerName } = order
      // Its page shows what the order's own answer says, and asks only for what becomes of it.
      if (order.status === 'waiting_payment')
        queries.setQueryData(api.query(getOrder, { params: { orderNo } }).queryKey, order)
      if (credit) void refreshCredit()
      saveCurrentOrder(me ? { orderNo } : { orderNo, trackToken })
      savePlayer(draft.gameCode, { ...draft, playerName })
      if (!credit?.coversAll) keepLastMethod('lastPayment', me?.uid ?? null, chosen.payment)
      if (asksPin) void refreshWallet()
      goOn(donePath, { replace: true, late })
    },
    onError: error => {
      if (asksPin && isAboutPin(error)) return
      if (asksPin) void refreshWallet()
      void refreshCredit()
      onRefused(error)
    },
    onSettled: () => setBusy(false),
  })
  const send = (sent: Sent) => {
    if (isBusy) return
    setBusy(true)
    place.mutate(sent)
  }
  return { isBusy, error: place.error, send, reset: place.reset }
}

interface WaysOn {
  showSheet: (sheet: PlacingSheet | null) => void
  refetchUnpaid: () => Promise<unknown>
}

/** Handles refusals that lead to another page or open a sheet. */
function useRefusal(draft: Draft, { showSheet, refetchUnpaid }: WaysOn) {
  const navigate = useNavigate()
  const toast = useToast()
  const queries = useQueryClient()
  const isLeft = useIsLeft()
  return async (error: Error) => {
    // Nothing was ordered, and whoever is elsewhere by now does not wait for it.
    if (isLeft()) return
    const notOnSale = () => {
      toast({ kind: 'error', text: messageOf(error) })
      void queries.invalidateQueries()
      navigate(purchasePathOf(draft.gameCode), { replace: true })
    }
    const ways: Partial<Record<ErrorCode, () => unknown>> = {
      GUEST_CHECKOUT_OFF: () => navigate('/login'),
      ACCOUNT_AMOUNTS_EXHAUSTED: () => showSheet('accounts'),
      UNPAID_ORDER_EXISTS: async () => {
        await refetchUnpaid()
        showSheet('pending')
      },
      TERMS_CHANGED: async () => {
        await queries.fetchQuery({ ...TERMS_QUERY, staleTime: 0 })
        showSheet('terms')
      },
      WARNING_NOT_ACCEPTED: () => queries.invalidateQueries(),
      PRICE_CHANGED: () => queries.invalidateQueries(),
      SOLD_OUT: notOnSale,
      PACKAGE_NOT_ON_SALE: notOnSale,
      PACKAGE_NOT_FOUND: notOnSale,
    }
    showSheet(null)
    if (error instanceof AppError) await ways[error.code]?.()
  }
}
