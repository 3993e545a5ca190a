import type { ManagedAccount } from '@shop/shared/catalogue/manage-endpoints.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import * as methodContract from '@shop/shared/catalogue/method-endpoints.ts'
import { type GatewayMethod, isGatewayMethod, PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import type { MethodTerms } from '@shop/shared/gateway/gateway.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { type CatalogueChange, changeCatalogue, mustBeCurrent, mustBeSeen } from '../settings/catalogue-change.ts'
import { moveValue } from '../value/moving.ts'
import { saveRow } from './arrangement-store.ts'
import * as store from './payment-store.ts'
import { receivingAccount } from './tables.ts'

/** Returns the fields of an account that the audit log stores: those that a save would write. */
const accountFieldsOf = (managed: ManagedAccount) => {
  const { code, accountName, accountNameEn, accountNo, branch, promptPayId, isActive } = managed
  return { code, accountName, accountNameEn, accountNo, branch, promptPayId, isActive }
}

/** The fields that decide where customers send their money. */
const WHERE = ['code', 'accountName', 'accountNameEn', 'accountNo', 'promptPayId'] as const

/**
 * A new destination for customers' money needs a second admin's agreement; anybody with the permission may close one.
 */
async function mustMayReceive(
  { tx, person }: CatalogueChange,
  fields: store.AccountFields,
  read: ManagedAccount | null,
): Promise<void> {
  const opens = fields.isActive && !read?.isActive
  if (read && !opens && WHERE.every(field => (read[field] ?? null) === (fields[field] ?? null))) return
  const told = ({ accountName, accountNo, promptPayId }: Pick<store.AccountFields, (typeof WHERE)[number]>) =>
    [accountName, accountNo, promptPayId && `PromptPay ${promptPayId}`].filter(Boolean).join(' ')
  const note = `${read ? told(read) : 'บัญชีใหม่'} → ${told(fields)}`
  const subject = read ? (`receivingAccount:${read.id}` as const) : 'receivingAccount:new'
  await moveValue(tx, person, { kind: 'receivingAccount', amountSatang: 0, subject, note })
}

/**
 * Writes an account and its audit entry. @throws LAST_RECEIVING_ACCOUNT when no account to transfer to would remain,
 * SECOND_WORD_NEEDED
 */
export async function writeAccount(
  change: CatalogueChange,
  fields: store.AccountFields,
  read: ManagedAccount | null,
  action: 'receivingAccount.save' | 'change.undo',
): Promise<ManagedAccount> {
  await mustMayReceive(change, fields, read)
  const { code: bankCode, ...others } = fields
  const id = await saveRow(change, receivingAccount, { ...others, bankCode }, read)
  const accounts = await store.findManagedAccounts(change.tx)
  if (read?.isActive && !accounts.some(({ isActive }) => isActive)) throw new AppError('LAST_RECEIVING_ACCOUNT')
  const saved = accounts.find(account => account.id === id)
  invariant(saved, 'the account was just saved')
  const before = read && accountFieldsOf(read)
  await change.audit({ action, subject: `receivingAccount:${id}`, before, after: accountFieldsOf(saved) })
  return saved
}

export async function mustFindAccount({ tx }: CatalogueChange, id: number): Promise<ManagedAccount> {
  const read = (await store.findManagedAccounts(tx)).find(account => account.id === id)
  if (!read) throw new AppError('RECEIVING_ACCOUNT_NOT_FOUND')
  return read
}

type AccountInput = ParsedInput<typeof contract.saveReceivingAccount>['body']

async function saveAccount(context: Context, { id, version, ...fields }: AccountInput) {
  return changeCatalogue(context.shop, personOf(context), async change => {
    const read = id === undefined ? null : await mustFindAccount(change, id)
    if (read) mustBeCurrent(version, read)
    return writeAccount(change, fields, read, 'receivingAccount.save')
  })
}

type Methods = ParsedInput<typeof methodContract.savePaymentMethods>['body']['methods']

export async function writeMethods(
  { tx, audit }: CatalogueChange,
  methods: Methods,
  action: 'paymentMethod.save' | 'change.undo',
): Promise<void> {
  const before = await store.findMethods(tx)
  await store.saveMethods(tx, methods)
  await audit({ action, subject: 'paymentMethod:all', before: { methods: before }, after: { methods } })
}

async function saveMethods(context: Context, input: ParsedInput<typeof methodContract.savePaymentMethods>['body']) {
  const { methods, seen } = input
  if (new Set(methods.map(({ code }) => code)).size < methods.length)
    throw new AppError('INVALID_INPUT', { fields: { methods: 'วิธีชำระเงินซ้ำ' } })
  return changeCatalogue(context.shop, personOf(context), async change => {
    const stored = await store.findMethods(change.tx)
    await mustBeSeen(change, 'paymentMethod:all', seen, stored)
    if (methods.length !== stored.length || !stored.every(({ code }) => methods.some(each => each.code === code)))
      throw new AppError('INVALID_INPUT', { fields: { methods: 'ต้องมีวิธีชำระเงินครบทุกวิธี' } })
    await writeMethods(change, methods, 'paymentMethod.save')
    return methods
  })
}

async function viewMethods({ shop: { db, gateway } }: Context) {
  const methods = (await store.findMethodTerms(db)).map(({ code, name, terms }) => {
    const { kind } = PAYMENT_METHOD[code]
    const takes = isGatewayMethod(code) ? (gateway?.methods[code] ?? null) : null
    return { code, name, kind, gateway: kind === 'gateway' ? { terms, takes } : null }
  })
  return { gateway: gateway?.name ?? null, methods }
}

async function findTerms(tx: Sql, code: GatewayMethod): Promise<MethodTerms> {
  const found = (await store.findMethodTerms(tx)).find(method => method.code === code)
  if (!found) throw new AppError('NOT_FOUND')
  return found.terms
}

export async function writeMethodTerms(
  { tx, audit }: CatalogueChange,
  code: GatewayMethod,
  terms: MethodTerms,
  action: 'paymentMethod.save' | 'change.undo',
): Promise<void> {
  const before = await findTerms(tx, code)
  await store.saveMethodTerms(tx, code, terms)
  await audit({ action, subject: `paymentMethod:${code}`, before, after: terms })
}

async function saveTerms(context: Context, input: ParsedInput<typeof methodContract.saveMethodTerms>['body']) {
  const { code, terms, seen } = input
  return changeCatalogue(context.shop, personOf(context), async change => {
    await mustBeSeen(change, `paymentMethod:${code}`, seen, await findTerms(change.tx, code))
    if (terms.isOn && !context.shop.gateway?.methods[code]) throw new AppError('GATEWAY_METHOD_OFF')
    await writeMethodTerms(change, code, terms, 'paymentMethod.save')
    return terms
  })
}

export const paymentRoutes: Route[] = [
  route(contract.listManagedAccounts, (_, { shop }) => store.findManagedAccounts(shop.db)),
  route(contract.saveReceivingAccount, ({ body }, context) => saveAccount(context, body)),
  route(methodContract.listManagedMethods, (_, context) => viewMethods(context)),
  route(methodContract.saveMethodTerms, ({ body }, context) => saveTerms(context, body)),
  route(methodContract.savePaymentMethods, ({ body }, context) => saveMethods(context, body)),
]
