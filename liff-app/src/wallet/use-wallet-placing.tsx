import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { getPrice } from '@shop/shared/order/endpoints.ts'
import { getWallet } from '@shop/shared/wallet/endpoints.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { api } from '../api.ts'
import { saveCurrentOrder } from '../order/current-order.ts'
import { type Draft, getQuantity, isPlacing } from '../order/draft.ts'
import { PlacingNotice } from '../order/placing-notice.tsx'
import { savePlayer } from '../order/saved-players.ts'
import { getPriceSatang, nameGoods } from '../order/selection.ts'
import { TERMS_VERSION } from '../order/terms-text.tsx'
import type { Offer } from '../order/use-offer.ts'
import { useToast } from '../ui/toast.tsx'
import { isAboutPin, PinSheet } from './pin-sheet.tsx'
import { placeWalletOrder, toWalletRequest } from './place-wallet-order.ts'
import { useRefreshWallet, useWallet } from './use-wallet.ts'

type PlacingProps = { draft: Draft; chosen: GamePackage; offer: Offer; onChange: (draft: Draft) => void }

const getBack = (draft: Draft): string => `/game/${draft.gameCode}?isback`
const getTotalSatang = (draft: Draft, chosen: GamePackage): number => getPriceSatang(chosen) * getQuantity(draft)
const getRequest = (draft: Draft, chosen: GamePackage) => toWalletRequest(draft, chosen.gameId, TERMS_VERSION)

/** Buys the selection from the wallet, PIN first; `notice` and `sheets` are what the page has to show for it. */
export function useWalletPlacing({ draft, chosen, offer, onChange }: PlacingProps) {
  const wallet = useWallet()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const buying = useBuying({ draft, chosen, onRefused: close })
  const preparing = usePreparing({ draft, chosen, onChange, onReady: () => setOpen(true) })
  const isBusy = preparing.isPending || buying.isBusy
  const refusal = buying.error && !isAboutPin(buying.error) ? buying.error : null
  return {
    isBusy,
    start: () => {
      if (isBusy) return
      buying.reset()
      preparing.mutate()
    },
    notice: (
      <PlacingNotice error={preparing.error ?? refusal} newPriceSatang={preparing.data ?? null} back={getBack(draft)} />
    ),
    sheets: wallet.data && (
      <PinSheet
        open={isOpen}
        what={`${offer.game?.name} · ${nameGoods(chosen.name, draft)}`}
        totalSatang={getTotalSatang(draft, chosen)}
        balanceSatang={wallet.data.balanceSatang}
        busy={buying.isBusy}
        error={buying.error}
        onPin={buying.enterPin}
        onClose={() => {
          close()
          buying.reset()
        }}
      />
    ),
  }
}

type PreparingProps = Omit<PlacingProps, 'offer'> & { onReady: () => void }

/**
 * Asks for price and balance as they are now, so that what the PIN confirms is what will be taken. Its data is the new
 * price where that differs from the one shown, else null.
 */
function usePreparing({ draft, chosen, onChange, onReady }: PreparingProps) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      const fresh = { staleTime: 0, retry: false, networkMode: 'always' } as const
      const { balanceSatang } = await queries.fetchQuery({ ...api.query(getWallet), ...fresh })
      const request = getRequest(draft, chosen)
      // This very request may have been served already, at the price and balance of then.
      if (request && isPlacing(request)) return null
      if (balanceSatang < getTotalSatang(draft, chosen)) throw new AppError('WALLET_BALANCE_TOO_LOW')
      const { priceSatang } = await api.call(getPrice, {
        params: { gameCode: draft.gameCode, packageId: chosen.id, playerId: draft.playerId, paymentCode: 'wallet' },
      })
      return priceSatang === draft.actualPrice ? null : priceSatang
    },
    onSuccess: newPriceSatang => {
      if (newPriceSatang === null) return onReady()
      void queries.invalidateQueries()
      onChange({ ...draft, actualPrice: newPriceSatang })
    },
  })
}

type BuyingProps = { draft: Draft; chosen: GamePackage; onRefused: () => void }

/** Sends the order with a PIN; what is wrong with the PIN stays in `error`, anything else is also `onRefused`. */
function useBuying({ draft, chosen, onRefused }: BuyingProps) {
  // Set within the tap itself: the PIN pad empties when this ends, however soon the answer comes.
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const toast = useToast()
  const queries = useQueryClient()
  const refreshWallet = useRefreshWallet()
  const buy = useMutation({
    mutationFn: (pin: string) => {
      const request = getRequest(draft, chosen)
      if (!request) throw new AppError('PAYMENT_METHOD_NOT_ALLOWED')
      return placeWalletOrder(request, pin)
    },
    onSuccess: ({ orderNo, playerName }) => {
      saveCurrentOrder({ orderNo })
      savePlayer(draft.gameCode, { playerId: draft.playerId, playerName })
      void refreshWallet()
      navigate('/thankyou', { replace: true })
    },
    onError: error => {
      if (isAboutPin(error)) return
      onRefused()
      void refreshWallet()
      const code = error instanceof AppError ? error.code : 'INTERNAL'
      if (code !== 'PACKAGE_NOT_ON_SALE' && code !== 'PACKAGE_NOT_FOUND') return
      toast({ kind: 'error', text: messageOf(error) })
      void queries.invalidateQueries()
      navigate(getBack(draft), { replace: true })
    },
    onSettled: () => setBusy(false),
  })
  const enterPin = (pin: string) => {
    if (isBusy) return
    setBusy(true)
    buy.mutate(pin)
  }
  return { isBusy, error: buy.error, enterPin, reset: buy.reset }
}
