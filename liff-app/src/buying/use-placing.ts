import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { sellingPriceOf } from '@shop/shared/catalogue/pricing.ts'
import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
import type { Satang } from '@shop/shared/money.ts'
import { purchaseBarrier } from '@shop/shared/order/purchase.ts'
import { getWallet } from '@shop/shared/wallet/endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { api } from '../api.ts'
import { saveCurrentOrder } from '../current-order.ts'
import { type Draft, purchasePathOf, saveAcceptedTerms } from '../draft.ts'
import { useUnpaidOrders } from '../orders/unpaid-orders.ts'
import { type ShownTerms, TERMS_QUERY } from '../settings/terms.ts'
import { useToast } from '../ui/toast.tsx'
import { isUnanswered } from '../unanswered.ts'
import { useRefreshWallet, useWallet } from '../wallet/use-wallet.ts'
import { PAYMENT_METHODS } from './payment-methods.tsx'
import { isAboutPin } from './pin-sheet.tsx'
import { findNewPrice, isPlacing, NotRead, placeOrder, type Selection } from './place-order.ts'
import { savePlayer } from './saved-players.ts'
import { quantityOf } from './selection.ts'
import { tellAcceptance } from './told-terms.ts'
import type { GameOffer } from './use-offer.ts'

export interface PlacingProps {
  draft: Draft
  chosen: GamePackage
  offer: GameOffer
  /** The terms on the screen: these are accepted and sent. */
  terms: ShownTerms
  onChange: (draft: Draft) => void
}

type PlacingSheet = 'pin' | 'accounts' | 'pending' | 'terms'

/** Orders the selection: looks again at what it costs, asks for the PIN where money is taken at once, and sends it. */
export function usePlacing({ draft, chosen, offer, terms, onChange }: PlacingProps) {
  const { me } = useSession()
  const navigate = useNavigate()
  const unpaid = useUnpaidOrders()
  const wallet = useWallet()
  const [sheet, setSheet] = useState<PlacingSheet | null>(null)
  // What a PIN orders is what was looked at before it was asked for, whatever changes on the page meanwhile.
  const [ready, setReady] = useState<Selection | null>(null)
  const { confirmLabel, asksPin, donePath } = PAYMENT_METHODS[chosen.payment]

  const refuse = useRefusal(draft, { showSheet: setSheet, refetchUnpaid: unpaid.refetch })
  const sending = useSending({ asksPin, donePath, onRefused: refuse })
  const preparing = usePreparing({
    asksPin,
    onReady: selection => {
      if (!asksPin) return sending.send(selection)
      setReady(selection)
      setSheet('pin')
    },
    onNewPrice: (actualPrice, wanted) => onChange({ ...wanted, actualPrice }),
    onRefused: refuse,
  })
  const shownSatang = sellingPriceOf(chosen)
  const isOther = draft.actualPrice !== null && draft.actualPrice !== shownSatang
  const newPriceSatang = preparing.data ?? (isOther ? shownSatang : null)
  // No PIN is taken for a price that came while it was asked for.
  const openSheet = sheet === 'pin' && newPriceSatang !== null && !sending.isBusy ? null : sheet

  const isBusy = preparing.isPending || sending.isBusy
  const start = (changed?: Partial<Draft>) => {
    if (isBusy) return
    sending.reset()
    setSheet(null)
    // Whoever goes on has seen the price as it stands on the page.
    const wanted = { ...draft, ...changed, actualPrice: shownSatang }
    onChange(wanted)
    // They lead back here after a sign-in, which a wallet's owner has behind them.
    if (!asksPin) saveAcceptedTerms(terms.version)
    if (!me && !offer.allowsGuests) return navigate('/login')
    tellAcceptance(terms.version, me?.uid ?? null)
    preparing.mutate({ draft: wanted, chosen, termsVersion: terms.version })
  }
  const isInPinSheet = asksPin && isAboutPin(sending.error)
  return {
    confirmLabel,
    isBusy,
    start: () => start(),
    /** Why nothing was ordered, but for what the PIN sheet says itself. */
    error: preparing.error ?? (isInPinSheet ? null : sending.error),
    /** The price of one piece where it is no longer the one that was shown. */
    newPriceSatang,
    sheet: openSheet,
    closeSheet: () => {
      if (sheet === 'pin') sending.reset()
      setSheet(null)
    },
    wallet: wallet.data ?? null,
    unpaid,
    pin: {
      isBusy: sending.isBusy,
      error: sending.error,
      enter: (pin: string) => ready && sending.send({ ...ready, pin }),
    },
    /** Goes on with another receiving account. */
    chooseAccount: (bank: number) => start({ bank }),
  }
}
export type Placing = ReturnType<typeof usePlacing>

const FRESH_WALLET = { ...api.query(getWallet), staleTime: 0, retry: false, networkMode: 'always' } as const

/** Nothing was ordered yet: another failure than that of ordering. */
function tellNotRead(cause: unknown): never {
  throw isUnanswered(cause) ? new NotRead() : cause
}

interface PreparingProps {
  asksPin: boolean
  onReady: (selection: Selection) => void
  onNewPrice: (priceSatang: Satang, draft: Draft) => void
  onRefused: (error: Error) => void
}

/** Looks again at what stands against the purchase and at what it costs, before anything is sent. */
function usePreparing({ asksPin, onReady, onNewPrice, onRefused }: PreparingProps) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (selection: Selection) => {
      const fresh = asksPin ? await queries.fetchQuery(FRESH_WALLET).catch(tellNotRead) : null
      // This very request may have been served already, at the price and balance of then.
      if (isPlacing(selection)) return null
      const { draft, chosen } = selection
      const [quantity, unitPriceSatang] = [quantityOf(draft), sellingPriceOf(chosen)]
      const barrier = purchaseBarrier({ payment: chosen.payment, quantity, unitPriceSatang, wallet: fresh })
      if (barrier) throw barrier
      return findNewPrice(draft, chosen).catch(tellNotRead)
    },
    onSuccess: (newPriceSatang, selection) => {
      if (newPriceSatang === null) return onReady(selection)
      void queries.invalidateQueries()
      onNewPrice(newPriceSatang, selection.draft)
    },
    onError: onRefused,
  })
}

interface SendingProps {
  asksPin: boolean
  donePath: string
  onRefused: (error: Error) => void
}
interface Sent extends Selection {
  pin?: string
}

/** Sends the order and leads on to its page; what is wrong with the PIN stays in `error`, the rest is also `onRefused`. */
function useSending({ asksPin, donePath, onRefused }: SendingProps) {
  // Set within the tap itself: the PIN pad empties when this ends, however soon the answer comes.
  const [isBusy, setBusy] = useState(false)
  const { me } = useSession()
  const navigate = useNavigate()
  const refreshWallet = useRefreshWallet()
  const place = useMutation({
    mutationFn: ({ pin, ...selection }: Sent) => placeOrder(selection, pin),
    onSuccess: ({ orderNo, trackToken, playerName }, { draft }) => {
      saveCurrentOrder(me ? { orderNo } : { orderNo, trackToken })
      savePlayer(draft.gameCode, { playerId: draft.playerId, playerName })
      if (asksPin) void refreshWallet()
      navigate(donePath, { replace: true })
    },
    onError: error => {
      if (asksPin && isAboutPin(error)) return
      if (asksPin) void refreshWallet()
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

/** What follows when no order could be made: some refusals lead elsewhere at once. */
function useRefusal(draft: Draft, { showSheet, refetchUnpaid }: WaysOn) {
  const navigate = useNavigate()
  const toast = useToast()
  const queries = useQueryClient()
  return async (error: Error) => {
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
      PACKAGE_NOT_ON_SALE: notOnSale,
      PACKAGE_NOT_FOUND: notOnSale,
    }
    showSheet(null)
    if (error instanceof AppError) await ways[error.code]?.()
  }
}
