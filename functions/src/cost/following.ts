import type { Satang } from '@shop/shared/money.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { SHOP_ITSELF } from '../audit/store.ts'
import { log } from '../http/log.ts'
import { changeCatalogue } from '../settings/catalogue-change.ts'
import type { Shop } from '../shop/shop.ts'
import type { Supplier } from '../supplier/provider.ts'
import { refreshOut } from '../voucher/store.ts'
import { findNewCosts, findPackages } from './follow-store.ts'
import { beginList, keepList, saveList } from './list-store.ts'
import { findRulesOf, planPackages, writePlanned } from './rules.ts'

/** A list is read at most once in so many seconds, however many processes there are. */
const LIST_SECONDS = 600

type Parts = Pick<Shop, 'db' | 'catalogue' | 'suppliers' | 'now' | 'findUnheard'>

/** Reads what suppliers sell, and lets costs, prices and what is sold out follow. */
export async function readSuppliers(shop: Parts): Promise<void> {
  await Promise.all(Object.values(shop.suppliers).map(supplier => readList(shop, supplier)))
  await followCosts(shop)
  await refreshOut(shop.db, null, bangkokDay(shop.now()))
}

async function readList({ db, now }: Parts, supplier: Supplier): Promise<void> {
  const { name } = supplier
  if (!(await beginList(db, name, now(), LIST_SECONDS))) return
  const listed = await supplier.listProducts()
  // A list without anything in it is as good as none.
  if (!listed || listed.length === 0) {
    await saveList(db, name, { failedAt: now() })
    return log('WARNING', 'the list of a supplier could not be read', { supplier: name })
  }
  const outcome = await db.transaction(tx => keepList(tx, name, listed, now()))
  if (outcome.kind === 'doubted')
    log('WARNING', 'the list of a supplier lacks most of its products', { supplier: name })
}

/**
 * Writes the costs that suppliers tell to the packages that follow them, and the prices that rules make of these: one
 * change, with audit entries, which can be taken back like that of a person. Nobody is asked about a loss: a package that
 * makes one stops.
 */
async function followCosts({ db, catalogue, now, findUnheard }: Omit<Parts, 'suppliers'>): Promise<void> {
  if ((await findNewCosts(db)).size === 0) return
  const person = { uid: SHOP_ITSELF.uid, role: 'guest', now: now(), findUnheard } as const
  await changeCatalogue({ db, catalogue }, person, async change => {
    const costs: ReadonlyMap<number, Satang> = await findNewCosts(change.tx)
    if (costs.size === 0) return
    const packages = (await findPackages(change.tx, costs.keys())).map(read => ({
      read,
      sold: { ...read, costSatang: costs.get(read.id)! },
    }))
    const rules = await findRulesOf(
      change.tx,
      packages.map(({ read }) => read.gameId),
    )
    const plans = await planPackages(
      change.tx,
      packages.map(({ sold }) => sold),
      rules,
      person.now,
    )
    // What is written is compared with what was read, so that the cost is a change.
    const planned = plans.map(({ plan }, at) => ({ read: packages[at]!.read, plan }))
    await writePlanned(change, { planned, costs }, 'cost.follow')
    const left = planned.filter(({ plan }) => plan.problem !== null).map(({ read }) => read.id)
    if (left.length > 0) log('WARNING', 'rules left prices as they are', { packages: left.join(' ') })
  })
}
