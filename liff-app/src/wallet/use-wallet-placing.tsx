import type { GamePackage } from '@shop/shared/catalogue/endpoints.ts'
import { AppError, messageOf } from '@shop/shared/errors.ts'
import { getPrice } from '@shop/shared/order/endpoints.ts'
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

/** Buys the selection from the wallet, PIN first; `notice` and `sheets` are what the page has to show for it. */
export function useWalletPlacing({ draft, chosen, offer, onChange }: PlacingProps) {
  const wallet = useWallet()
  const [isOpen, setOpen] = useState(false)
  // Set within the tap itself: the PIN pad empties when this ends, however soon the answer comes.
  const [isBuying, setBuying] = useState(false)
  const [newPriceSatang, setNewPrice] = useState<number | null>(null)
  const navigate = useNavigate()
  const toast = useToast()
  const queries = useQueryClient()
  const refreshWallet = useRefreshWallet()
  const request = toWalletRequest(draft, chosen.gameId, TERMS_VERSION)
  const totalSatang = getPriceSatang(chosen) * getQuantity(draft)
  const back = `/game/${draft.gameCode}?isback`

  const buy = useMutation({
    mutationFn: (pin: string) => {
      if (!request) throw new AppError('PAYMENT_METHOD_NOT_ALLOWED')
      return placeWalletOrder(request, pin)
    },
    onSuccess: order => {
      saveCurrentOrder({ orderNo: order.orderNo })
      savePlayer(draft.gameCode, { playerId: draft.playerId, playerName: order.playerName })
      void refreshWallet()
      navigate('/thankyou', { replace: true })
    },
    onError: error => {
      if (isAboutPin(error)) return
      setOpen(false)
      void refreshWallet()
      const code = error instanceof AppError ? error.code : 'INTERNAL'
      if (code !== 'PACKAGE_NOT_ON_SALE' && code !== 'PACKAGE_NOT_FOUND') return
      toast({ kind: 'error', text: messageOf(error) })
      void queries.invalidateQueries()
      navigate(back, { replace: true })
    },
    onSettled: () => setBuying(false),
  })
  const enterPin = (pin: string) => {
    if (isBuying) return
    setBuying(true)
    buy.mutate(pin)
  }

  /** Price and balance as they are now, so that what the PIN confirms is what will be taken. */
  const prepare = useMutation({
    mutationFn: async () => {
      const { data, error } = await wallet.refetch()
      if (!data) throw error ?? new AppError('UNAVAILABLE')
      if (request && isPlacing(request)) return null
      if (data.balanceSatang < totalSatang) throw new AppError('WALLET_BALANCE_TOO_LOW')
      const { priceSatang } = await api.call(getPrice, {
        params: { gameCode: draft.gameCode, packageId: chosen.id, playerId: draft.playerId, paymentCode: 'wallet' },
      })
      return priceSatang === draft.actualPrice ? null : priceSatang
    },
    onSuccess: changedTo => {
      setNewPrice(changedTo)
      if (changedTo === null) return setOpen(true)
      void queries.invalidateQueries()
      onChange({ ...draft, actualPrice: changedTo })
    },
  })

  const start = () => {
    if (prepare.isPending || isBuying) return
    buy.reset()
    prepare.mutate()
  }
  const error = prepare.error ?? (buy.error && !isAboutPin(buy.error) ? buy.error : null)
  return {
    isBusy: prepare.isPending || isBuying,
    start,
    notice: <PlacingNotice error={error} newPriceSatang={newPriceSatang} back={back} />,
    sheets: wallet.data && (
      <PinSheet
        open={isOpen}
        what={`${offer.game?.name} · ${nameGoods(chosen.name, draft)}`}
        totalSatang={totalSatang}
        balanceSatang={wallet.data.balanceSatang}
        busy={isBuying}
        error={buy.error}
        onPin={enterPin}
        onClose={() => {
          setOpen(false)
          buy.reset()
        }}
      />
    ),
  }
}
