import type { ManagedGame, ManagedPackage } from '@shop/shared/catalogue/manage-endpoints.ts'
import { BulkPriceDialog } from './bulk-price-dialog.tsx'
import { BulkStatusDialog } from './bulk-status-dialog.tsx'
import { CopyPricesDialog } from './copy-prices-dialog.tsx'
import { ExplainDrawer } from './explain-drawer.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { NewPackageDrawer } from './new-package-drawer.tsx'
import type { RowAction } from './package-columns.tsx'
import { PackageDrawer } from './package-drawer.tsx'
import { PriceDialog } from './price-dialog.tsx'
import { ReorderPackages } from './reorder-packages.tsx'
import type { Chosen } from './use-bulk-change.ts'

/** The form or drawer over the list: for one package, or for all of the game's. */
export type Open =
  | { what: RowAction; sold: ManagedPackage }
  | { what: 'add' | 'reorder' | 'import' | 'activate' | 'deactivate' | 'changePrice' }

/** Shows the one form or drawer over the list. */
export function PackageDialogs(props: {
  open: Open
  game: ManagedGame
  now: Date
  selected: ManagedPackage[]
  chosen: Chosen | null
  /** `isDone`: the action for the selected packages has been carried out. */
  onClose: (isDone?: boolean) => void
}) {
  const { open, game, now, selected, chosen, onClose } = props
  const close = () => onClose()
  switch (open.what) {
    case 'add':
      return <NewPackageDrawer game={game} now={now} onClose={close} />
    case 'edit':
      return <PackageDrawer sold={open.sold} onClose={close} />
    case 'prices':
      return <PriceDialog gameName={game.name} sold={open.sold} now={now} onClose={close} />
    case 'explain':
      return <ExplainDrawer sold={open.sold} now={now} onClose={close} />
    case 'copy':
      return <CopyPricesDialog source={open.sold} selected={selected} onClose={onClose} />
    case 'reorder':
      return <ReorderPackages game={game} onClose={close} />
    case 'import':
      return <ImportDialog onClose={close} />
    case 'changePrice':
      return chosen && <BulkPriceDialog chosen={chosen} now={now} onClose={onClose} />
    case 'activate':
    case 'deactivate':
      return chosen && <BulkStatusDialog kind={open.what} chosen={chosen} onClose={onClose} />
  }
}
