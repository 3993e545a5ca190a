import { sellingPriceOf } from '@shop/shared/catalogue/catalogue.ts'
import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, type ErrorCode, messageOf } from '@shop/shared/errors.ts'
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
import { useToast } from '../ui/toast.tsx'
import { useRefreshWallet, useWallet } from '../wallet/use-wallet.ts'
import { PAYMENT_METHODS } from './payment-methods.tsx'
import { isAboutPin } from './pin-sheet.tsx'
import { findNewPrice, isPlacing, placeOrder, toOrderRequest } from './place-order.ts'
import { savePlayer } from './saved-players.ts'
import { quantityOf } from './selection.ts'
import { TERMS_VERSION } from './terms-text.tsx'
import type { Offer } from './use-offer.ts'

export interface PlacingProps {
  draft: Draft
  chosen: GamePackage
  offer: Offer
  onChange: (draft: Draft) => void
}

type PlacingSheet = 'pin' | 'accounts' | 'pending'

/** Orders the selection: looks again at what it costs, asks for the PIN where money is taken at once, and sends it. */
export function usePlacing({ draft, chosen, offer, onChange }: PlacingProps) {
  const { me } = useSession()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const unpaid = useUnpaidOrders()
  const wallet = useWallet()
  const [sheet, setSheet] = useState<PlacingSheet | null>(null)
  const { confirmLabel, asksPin, donePath } = PAYMENT_METHODS[chosen.payment]

  const refuse = useRefusal(draft, { showSheet: setSheet, refetchUnpaid: unpaid.refetch })
  const sending = useSending({ asksPin, donePath, onRefused: refuse })
  const preparing = useMutation({
    mutationFn: async (wanted: Draft) => {
      const fresh = asksPin ? await queries.fetchQuery(FRESH_WALLET) : null
      // This very request may have been served already, at the price and balance of then.
      if (isPlacing(toOrderRequest(wanted, chosen))) return null
      const [quantity, unitPriceSatang] = [quantityOf(wanted), sellingPriceOf(chosen)]
      const barrier = purchaseBarrier({ payment: chosen.payment, quantity, unitPriceSatang, wallet: fresh })
      if (barrier) throw barrier
      return findNewPrice(wanted, chosen)
    },
    onSuccess: (newPriceSatang, wanted) => {
      if (newPriceSatang !== null) {
        void queries.invalidateQueries()
        onChange({ ...wanted, actualPrice: newPriceSatang })
      } else if (asksPin) setSheet('pin')
      else sending.send({ wanted, chosen })
    },
    onError: refuse,
  })

  const isBusy = preparing.isPending || sending.isBusy
  const start = (wanted: Draft) => {
    if (isBusy) return
    sending.reset()
    // They lead back here after a sign-in, which a wallet's owner has behind them.
    if (!asksPin) saveAcceptedTerms(TERMS_VERSION)
    if (!me && !offer.allowsGuests) navigate('/login')
    else preparing.mutate(wanted)
  }
  const isInPinSheet = asksPin && isAboutPin(sending.error)
  return {
    confirmLabel,
    isBusy,
    start: () => start(draft),
    /** Why nothing was ordered, but for what the PIN sheet says itself. */
    error: preparing.error ?? (isInPinSheet ? null : sending.error),
    /** The price of one piece where it is no longer the one that was shown. */
    newPriceSatang: preparing.data ?? null,
    sheet,
    closeSheet: () => {
      if (sheet === 'pin') sending.reset()
      setSheet(null)
    },
    wallet: wallet.data ?? null,
    unpaid,
    pin: {
      isBusy: sending.isBusy,
      error: sending.error,
      enter: (pin: string) => sending.send({ wanted: draft, chosen, pin }),
    },
    /** Goes on with another receiving account. */
    chooseAccount: (bank: number) => {
      setSheet(null)
      const wanted = { ...draft, bank }
      onChange(wanted)
      start(wanted)
    },
  }
}
export type Placing = ReturnType<typeof usePlacing>

const FRESH_WALLET = { ...api.query(getWallet), staleTime: 0, retry: false, networkMode: 'always' } as const

interface SendingProps {
  asksPin: boolean
  donePath: string
  onRefused: (error: Error) => void
}
interface Sent {
  wanted: Draft
  chosen: GamePackage
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
    mutationFn: async ({ wanted, chosen, pin }: Sent) => placeOrder(toOrderRequest(wanted, chosen), pin),
    onSuccess: ({ orderNo, trackToken, playerName }, { wanted }) => {
      saveCurrentOrder(me ? { orderNo } : { orderNo, trackToken })
      savePlayer(wanted.gameCode, { playerId: wanted.playerId, playerName })
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
      PACKAGE_NOT_ON_SALE: notOnSale,
      PACKAGE_NOT_FOUND: notOnSale,
    }
    showSheet(null)
    if (error instanceof AppError) await ways[error.code]?.()
  }
}
