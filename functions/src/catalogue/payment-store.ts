import { bankOf } from '@shop/shared/catalogue/banks.ts'
import type { ManagedAccount } from '@shop/shared/catalogue/manage-endpoints.ts'
import type { GatewayMethod, PaymentCode } from '@shop/shared/catalogue/payment-method.ts'
import type { MethodTerms } from '@shop/shared/gateway/gateway.ts'
import { asc, sql as drizzled, eq } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { pick, row, sql, under } from '../database/sql.ts'
import { type LastChange, lastChangeOf, type StoredLastChange, viewLastChange } from '../settings/catalogue-change.ts'
import { paymentMethod, receivingAccount } from './tables.ts'

/** The fields of a receiving account that staff write. */
export type AccountFields = Omit<ManagedAccount, 'id' | 'no' | 'bankName' | keyof LastChange>

const a = under(receivingAccount, 'a')
const SAVED = lastChangeOf(a)
const ACCOUNTS = sql`SELECT ${row<Omit<ManagedAccount, 'bankName' | keyof LastChange> & StoredLastChange>({
  ...pick(a, 'id', 'accountName', 'accountNameEn', 'accountNo', 'branch', 'promptPayId', 'isActive'),
  no: a.position,
  code: a.bankCode,
  ...SAVED.fields,
})}
  FROM ${a} ${SAVED.join} ORDER BY ${a.position}, ${a.id}`

/** Returns all receiving accounts, also those that are switched off. */
export async function findManagedAccounts(db: Sql): Promise<ManagedAccount[]> {
  const rows = await db.query({ text: ACCOUNTS })
  return rows.map(each => ({ ...viewLastChange(each), bankName: bankOf(each.code).niceName }))
}

export async function findMethods(db: Sql) {
  const { code, name, position } = paymentMethod
  return db.orm.select({ code, name }).from(paymentMethod).orderBy(asc(position), asc(code))
}

const { isOn, leastSatang, mostSatang, surchargeBasisPoints, surchargeSatang, openingHours } = paymentMethod
const TERMS = { isOn, leastSatang, mostSatang, surchargeBasisPoints, surchargeSatang, openingHours }

/** Returns every payment method in order, each with its terms. */
export async function findMethodTerms(db: Sql): Promise<{ code: PaymentCode; name: string; terms: MethodTerms }[]> {
  const { code, name, position } = paymentMethod
  return db.orm.select({ code, name, terms: TERMS }).from(paymentMethod).orderBy(asc(position), asc(code))
}

export async function saveMethodTerms(tx: Sql, method: GatewayMethod, terms: MethodTerms): Promise<void> {
  await tx.orm.update(paymentMethod).set(terms).where(eq(paymentMethod.code, method))
}

/** Writes the payment methods in the order of the list. */
export async function saveMethods(tx: Sql, methods: readonly { code: PaymentCode; name: string }[]): Promise<void> {
  await tx.orm
    .insert(paymentMethod)
    .values(methods.map(({ code, name }, index) => ({ code, name, position: index + 1 })))
    .onConflictDoUpdate({
      target: paymentMethod.code,
      set: { name: drizzled`excluded.name`, position: drizzled`excluded.position` },
    })
}
