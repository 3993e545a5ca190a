import { undoChange } from '@shop/shared/audit/endpoints.ts'
import type { PaymentCode, PriceRow } from '@shop/shared/catalogue/catalogue.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { Action } from '@shop/shared/permissions.ts'
import { can } from '@shop/shared/permissions.ts'
import type { OptionName } from '@shop/shared/settings/option.ts'
import { findAuditEntry } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../http/route.ts'
import { type CatalogueChange, changeCatalogue } from '../settings/catalogue-change.ts'
import { writeOption } from '../settings/handlers.ts'
import { mustFindBanner, writeBanner } from './banner-handlers.ts'
import type { BannerFields } from './banner-store.ts'
import { writeGame } from './game-handlers.ts'
import { findManagedGame, type GameFields } from './game-store.ts'
import { restorePackage, restorePrices } from './package-handlers.ts'
import type { PackageFields } from './package-store.ts'
import { mustFindAccount, writeAccount } from './payment-handlers.ts'
import type { AccountFields } from './payment-store.ts'

type State = Record<string, unknown>

interface Undo {
  allow: Action
  /** Writes what was there before, through the same rules as a save. */
  restore(change: CatalogueChange, id: string, state: State): Promise<unknown>
}

/** By what an audit entry is about. */
const UNDO: Partial<Record<string, Undo>> = {
  game: {
    allow: 'catalogue.manage',
    async restore(change, id, state) {
      const read = await findManagedGame(change.tx, Number(id))
      return writeGame(change, state as unknown as GameFields, read, 'change.undo')
    },
  },
  package: {
    allow: 'catalogue.manage',
    restore: (change, id, state) => restorePackage(change, Number(id), state as unknown as PackageFields),
  },
  price: {
    allow: 'catalogue.manage',
    restore(change, id, state) {
      const prices = Object.entries(state as Record<PaymentCode, PriceRow>)
      return restorePrices(
        change,
        Number(id),
        prices.map(([payment, price]) => ({ ...price, payment: payment as PaymentCode })),
      )
    },
  },
  banner: {
    allow: 'settings.pay',
    restore: async (change, id, state) =>
      writeBanner(change, state as unknown as BannerFields, await mustFindBanner(change, Number(id)), 'change.undo'),
  },
  receivingAccount: {
    allow: 'settings.pay',
    restore: async (change, id, state) =>
      writeAccount(change, state as unknown as AccountFields, await mustFindAccount(change, Number(id)), 'change.undo'),
  },
  option: {
    allow: 'settings.manage',
    restore: (change, name, { value }) =>
      writeOption(change, { optionName: name as OptionName, optionValue: String(value) }, 'change.undo'),
  },
}

/** Discounts are written under their package, but are no part of it. */
const isOfCatalogue = (action: string) => !action.startsWith('discount.')

async function undo(context: Context, which: ParsedInput<typeof undoChange>['body']) {
  return changeCatalogue(context.shop.db, personOf(context), async change => {
    const entry = await findAuditEntry(change.tx, which)
    if (!entry) throw new AppError('NOT_FOUND')
    const [noun = '', id = ''] = entry.subject.split(':')
    const kind = isOfCatalogue(entry.action) ? UNDO[noun] : undefined
    if (kind && !can(context.caller, kind.allow)) throw new AppError('FORBIDDEN')
    if (!kind || !entry.isLast || id.startsWith('order')) throw new AppError('UNDO_NOT_POSSIBLE')
    // What was added can't be taken away, orders may name it; it is switched off.
    await kind.restore(change, id, entry.before ?? { ...entry.after, isActive: false })
    return { subject: entry.subject }
  })
}

export const undoRoutes: Route[] = [route(undoChange, ({ body }, context) => undo(context, body))]
