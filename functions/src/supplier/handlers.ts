import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import type { SupplierName } from '@shop/shared/provider-names.ts'
import * as contract from '@shop/shared/supplier/endpoints.ts'
import { addSeconds, bangkokDay, startOfBangkokDay } from '@shop/shared/time.ts'
import { audit } from '../audit/store.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { inJson } from '../http/in-json.ts'
import type { Supplier } from './provider.ts'
import * as store from './store.ts'
import { isBalanceLow } from './watch.ts'

const viewStop = ({ stoppedAt, stoppedFor }: store.SupplierRow) =>
  stoppedAt && stoppedFor ? { reason: stoppedFor, at: stoppedAt.toISOString() } : null

async function viewState({ shop, now }: Context) {
  const { db } = shop
  const unclearOrderNos = (await store.findUnclear(db)).map(({ orderNo }) => orderNo)
  const rows = await findRows(shop)
  const suppliers = rows.map(row => ({
    name: row.name,
    isOn: row.isOn,
    stopped: viewStop(row),
    brokenUntil: viewRest(row, now),
    isBalanceLow: isBalanceLow(row),
  }))
  const isRunning = suppliers.every(({ isOn, stopped }) => isOn && !stopped)
  return { suppliers, waitingOrders: isRunning ? 0 : await store.countWaiting(db), unclearOrderNos }
}

const findRows = ({ suppliers, db }: Context['shop']): Promise<store.SupplierRow[]> =>
  Promise.all(Object.values(suppliers).map(({ name }) => store.findSupplier(db, name)))

const viewRest = ({ brokenUntil }: store.SupplierRow, now: Date): string | null =>
  brokenUntil && brokenUntil > now ? brokenUntil.toISOString() : null

function mustHaveSupplier({ shop }: Context, name: SupplierName): Supplier {
  const supplier = shop.suppliers[name]
  if (!supplier) throw new AppError('SUPPLIER_OFF')
  return supplier
}

async function viewSettings(db: Sql, supplier: Supplier, now: Date): Promise<contract.SupplierSettings> {
  const row = await store.findSupplier(db, supplier.name)
  const { capabilities } = supplier
  return {
    ...inJson(row),
    name: supplier.name,
    capabilities: { ...capabilities, delivers: [...capabilities.delivers] },
    stopped: viewStop(row),
    brokenUntil: viewRest(row, now),
  }
}

async function save(context: Context, { name, ...change }: ParsedInput<typeof contract.saveSupplier>['body']) {
  const supplier = mustHaveSupplier(context, name)
  const person = personOf(context)
  return context.shop.db.transaction(async tx => {
    const { isOn, lowBalanceSatang, stoppedFor } = await store.findSupplier(tx, name)
    await store.saveSupplier(tx, name, {
      ...change,
      ...(change.isOn && { stoppedAt: null, stoppedFor: null, brokenUntil: null }),
    })
    if (change.isOn) await store.resumeWaiting(tx, person.now)
    // Switching the supplier off does not end a stop.
    const after = { ...change, stoppedFor: change.isOn ? null : stoppedFor }
    const before = { isOn, lowBalanceSatang, stoppedFor }
    await audit(tx, person, { action: 'supplier.save', subject: `supplier:${name}`, before, after })
    return viewSettings(tx, supplier, person.now)
  })
}

async function testConnection(context: Context, { name }: { name: SupplierName }) {
  const supplier = mustHaveSupplier(context, name)
  const { db, now } = context.shop
  const balanceSatang = await supplier.balance()
  if (balanceSatang === null) {
    const failed = new AppError('SUPPLIER_SILENT')
    await store.saveSupplier(db, name, { lastError: failed.message, lastErrorAt: now() })
    throw failed
  }
  await store.keepBalance(db, name, balanceSatang, now())
  return viewSettings(db, supplier, now())
}

async function listProducts(context: Context, { name }: { name: SupplierName }) {
  const products = await mustHaveSupplier(context, name).listProducts()
  if (!products) throw new AppError('SUPPLIER_SILENT')
  return products
}

async function listSettings({ shop, now }: Context) {
  const suppliers = await Promise.all(Object.values(shop.suppliers).map(each => viewSettings(shop.db, each, now)))
  return { suppliers, waitingOrders: await store.countWaiting(shop.db) }
}

const HEALTH_DAYS = 7

async function viewHealth({ shop, now }: Context) {
  const dayFrom = startOfBangkokDay(bangkokDay(now))
  const weekFrom = addSeconds(dayFrom, -(HEALTH_DAYS - 1) * 86_400)
  const unclear = await store.findUnclear(shop.db)
  const suppliers = await Promise.all(
    Object.values(shop.suppliers).map(async ({ name, capabilities }): Promise<contract.SupplierHealth> => {
      const row = await store.findSupplier(shop.db, name)
      return {
        ...inJson(row),
        name,
        stopped: viewStop(row),
        brokenUntil: viewRest(row, now),
        callback: capabilities.callback,
        isBalanceLow: isBalanceLow(row),
        unclearOrderNos: unclear.filter(({ supplier }) => supplier === name).map(({ orderNo }) => orderNo),
        ...(await store.countDeliveries(shop.db, name, { weekFrom, dayFrom })),
      }
    }),
  )
  return { suppliers, nowDate: now.toISOString() }
}

export const supplierRoutes: Route[] = [
  route(contract.getSupplier, (_, context) => viewState(context)),
  route(contract.getSupplierSettings, (_, context) => listSettings(context)),
  route(contract.getSupplierHealth, (_, context) => viewHealth(context)),
  route(contract.saveSupplier, ({ body }, context) => save(context, body)),
  route(contract.testSupplier, ({ body }, context) => testConnection(context, body)),
  route(contract.listSupplierProducts, ({ query }, context) => listProducts(context, query)),
]
