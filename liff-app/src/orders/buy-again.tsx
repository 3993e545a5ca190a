import { NO_PLAYER, PLAYER_FIELD } from '@shop/shared/catalogue/catalogue.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { getOrder, type OrderView } from '@shop/shared/order/endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { api } from '../api.ts'
import { createDraft, type Draft, purchasePathOf, saveDraft } from '../draft.ts'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { GameArt } from '../ui/game-art.tsx'
import { useToast } from '../ui/toast.tsx'
import type { RecentOrder } from './recent-orders.ts'

/** Makes a selection like that of an earlier order. */
function toDraft(order: OrderView): Draft {
  const values = Object.fromEntries(order.fields.map(({ name, value }) => [PLAYER_FIELD[name], value]))
  return {
    ...createDraft(order.game.code),
    ...values,
    playerId: order.playerId === NO_PLAYER ? '' : order.playerId,
    playerName: order.playerName,
    paymentMethod: order.payment,
    bank: order.receivingAccount?.id ?? null,
    package: order.package.id,
  }
}

/** Opens the purchase page, filled in like an earlier order. */
export function useBuyAgain() {
  const navigate = useNavigate()
  return (order: OrderView) => {
    saveDraft(toDraft(order))
    navigate(purchasePathOf(order.game.code))
  }
}

/** A button that opens the purchase page as for an earlier order of a list. */
export function BuyAgainButton({ order }: { order: RecentOrder }) {
  const buyAgain = useBuyAgain()
  const toast = useToast()
  const prepare = useMutation({
    mutationFn: () => api.call(getOrder, { params: { orderNo: order.orderNo } }),
    onSuccess: buyAgain,
    onError: error => toast({ kind: 'error', text: messageOf(error) }),
  })
  return (
    <Button
      kind="tint"
      size="inline"
      className="relative"
      busy={prepare.isPending}
      busyLabel="กรุณารอสักครู่"
      aria-label={`เติมอีก ${order.packageName} ${order.gameName}`}
      onClick={() => prepare.mutate()}
    >
      เติมอีก
    </Button>
  )
}

/** The last purchases, each with a button to make it again. */
export function BuyAgain({ orders }: { orders: RecentOrder[] }) {
  if (orders.length === 0) return null
  return (
    <section className="lg:rounded-card lg:border lg:border-line lg:px-5 lg:py-4">
      <h2 className="mb-2 text-section">เติมอีกครั้ง</h2>
      <ul className="rounded-card border border-line px-3 lg:rounded-none lg:border-0 lg:px-0">
        {orders.map((order, index) => (
          <li
            key={order.orderNo}
            className={classes(
              'flex-wrap items-center gap-3 py-3',
              index > 0 ? 'hidden border-line border-t lg:flex' : 'flex',
            )}
          >
            <GameArt picture={order.gamePicture} className="size-11 rounded-inline" />
            <p className="min-w-[min(8rem,100%)] flex-1">
              <span className="block font-semibold leading-normal">{order.packageName}</span>
              <span className="block text-ink-2 text-note">
                {[order.gameName, order.playerId === NO_PLAYER ? '' : order.playerId].filter(Boolean).join(' · ')}
              </span>
            </p>
            <BuyAgainButton order={order} />
          </li>
        ))}
      </ul>
    </section>
  )
}
