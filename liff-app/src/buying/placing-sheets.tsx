import { pinLockedError } from '@shop/shared/account/pin.ts'
import type { CreditView } from '@shop/shared/credit/endpoints.ts'
import type { AppError } from '@shop/shared/errors.ts'
import { playerFactsOf } from '../orders/order-facts.ts'
import { PendingOrdersSheet } from '../orders/pending-orders-sheet.tsx'
import { OtherAccountsSheet } from './other-accounts-sheet.tsx'
import { PinSheet } from './pin-sheet.tsx'
import { fieldValueOf, nameGoods } from './selection.ts'
import { TermsSheet } from './terms-sheet.tsx'
import type { Placing, PlacingProps } from './use-placing.ts'

/** The refusal that a locked PIN would get, while it is locked. */
function lockOf({ pin, nowDate }: Pick<CreditView, 'pin' | 'nowDate'>): AppError | null {
  if (!pin?.lock?.isHolding) return null
  const { at, until } = pin.lock
  return pinLockedError({ at: new Date(at), until: until === null ? null : new Date(until) }, new Date(nowDate))
}

/** The sheets that ordering may have to open: for the PIN, another account, changed terms or unpaid orders. */
export function PlacingSheets({
  placing,
  draft,
  chosen,
  offer,
  terms,
}: Omit<PlacingProps, 'onChange' | 'buyer'> & { placing: Placing }) {
  const { sheet, closeSheet, purse, unpaid, pin } = placing
  return (
    <>
      {purse && (
        <PinSheet
          open={sheet === 'pin'}
          what={`${offer.game?.name} · ${nameGoods(chosen.name, draft)}`}
          player={playerFactsOf(
            (offer.game?.fields ?? []).map(field => ({ ...field, value: fieldValueOf(draft, field.name) })),
            draft.playerName,
          )}
          totalSatang={purse.spentSatang}
          balanceSatang={purse.balanceSatang}
          lock={lockOf(purse)}
          busy={pin.isBusy}
          error={pin.error}
          onPin={pin.enter}
          onClose={closeSheet}
        />
      )}
      <TermsSheet terms={terms} open={sheet === 'terms'} onClose={closeSheet} />
      <OtherAccountsSheet
        open={sheet === 'accounts'}
        error={placing.error}
        accounts={offer.accounts}
        onChoose={placing.chooseAccount}
        onClose={closeSheet}
      />
      <PendingOrdersSheet open={sheet === 'pending'} unpaid={unpaid} onClose={closeSheet} />
    </>
  )
}
