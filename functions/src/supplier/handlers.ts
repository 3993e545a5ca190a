import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError } from '@shop/shared/errors.ts'
import * as contract from '@shop/shared/supplier/endpoints.ts'
import { audit } from '../audit/store.ts'
import type { Sql } from '../database/database.ts'
import { inJson } from '../http/in-json.ts'
import { type Context, personOf, type Route, route } from '../http/route.ts'
import type { Supplier } from './provider.ts'
import * as store from './store.ts'
import { isBalanceLow } from './watch.ts'

const viewStop = ({ stoppedAt, stoppedFor }: store.SupplierRow) =>
  stoppedAt && stoppedFor ? { reason: stoppedFor, at: stoppedAt.toISOString() } : null

async function viewState({ shop }: Context) {
  const { supplier, db } = shop
  const unclearOrderNos = await store.findUnclearOrderNos(db)
  if (!supplier)
    return { name: null, isOn: false, stopped: null, isBalanceLow: false, waitingOrders: 0, unclearOrderNos }
  const row = await store.findSupplier(db, supplier.name)
  const isRunning = row.isOn && !row.stoppedAt
  return {
    name: supplier.name,
    isOn: row.isOn,
    stopped: viewStop(row),
    isBalanceLow: isBalanceLow(row),
    waitingOrders: isRunning ? 0 : await store.countWaiting(db),
    unclearOrderNos,
  }
}

function mustHaveSupplier({ shop }: Context): Supplier {
  if (!shop.supplier) throw new AppError('SUPPLIER_OFF')
  return shop.supplier
}

async function viewSettings(db: Sql, supplier: Supplier): Promise<contract.SupplierSettings> {
  const row = await store.findSupplier(db, supplier.name)
  return {
    ...inJson(row),
    capabilities: supplier.capabilities,
    stopped: viewStop(row),
    waitingOrders: await store.countWaiting(db),
  }
}

async function save(context: Context, change: ParsedInput<typeof contract.saveSupplier>['body']) {
  const supplier = mustHaveSupplier(context)
  const person = personOf(context)
  return context.shop.db.transaction(async tx => {
    const { isOn, lowBalanceSatang, stoppedFor } = await store.findSupplier(tx, supplier.name)
    await store.saveSupplier(tx, supplier.name, {
      ...change,
      ...(change.isOn && { stoppedAt: null, stoppedFor: null }),
    })
    if (change.isOn) await store.resumeWaiting(tx, person.now)
    // Switching the supplier off does not end a stop.
    const after = { ...change, stoppedFor: change.isOn ? null : stoppedFor }
    const before = { isOn, lowBalanceSatang, stoppedFor }
    await audit(tx, person, { action: 'supplier.save', subject: `supplier:${supplier.name}`, before, after })
    return viewSettings(tx, supplier)
  })
}

async function testConnection(context: Context) {
  const supplier = mustHaveSupplier(context)
  const { db, now } = context.shop
  const balanceSatang = await supplier.balance()
  if (balanceSatang === null) {
    const failed = new AppError('SUPPLIER_SILENT')
    await store.saveSupplier(db, supplier.name, { lastError: failed.message, lastErrorAt: now() })
    throw failed
  }
  await store.keepBalance(db, supplier.name, balanceSatang, now())
  return viewSettings(db, supplier)
}

async function listProducts(context: Context) {
  const products = await mustHaveSupplier(context).listProducts()
  if (!products) throw new AppError('SUPPLIER_SILENT')
  return products
}

export const supplierRoutes: Route[] = [
  route(contract.getSupplier, (_, context) => viewState(context)),
  route(contract.getSupplierSettings, async (_, { shop }) => ({
    supplier: shop.supplier && (await viewSettings(shop.db, shop.supplier)),
  })),
  route(contract.saveSupplier, ({ body }, context) => save(context, body)),
  route(contract.testSupplier, (_, context) => testConnection(context)),
  route(contract.listSupplierProducts, (_, context) => listProducts(context)),
]
