import { PAYMENT_CODES, PAYMENT_METHOD, PRICE_CODES } from '@shop/shared/catalogue/payment-method.ts'
import { auditEntry } from '../audit/tables.ts'
import type { Sql } from '../database/database.ts'
import { as, row, sql, under } from '../database/sql.ts'
import { terms } from '../settings/tables.ts'
import { gameTag, paymentMethod } from './tables.ts'

/**
 * What a shop can't sell without and no screen can add from nothing. The rest is there already: the first terms come
 * with a migration, and options that nobody has set have their standard values.
 */

const [tag, m, entry] = [under(gameTag), under(paymentMethod, 'm'), under(auditEntry)]

type TagKind = typeof gameTag.$inferSelect.kind

/** The regions, languages and platforms that games are filtered by, until staff write their own. */
const FIRST_TAGS = {
  region: { th: 'ไทย', sea: 'เอเชียตะวันออกเฉียงใต้', asia: 'เอเชีย', global: 'ทั่วโลก' },
  language: { th: 'ไทย', en: 'อังกฤษ' },
  platform: { android: 'Android', ios: 'iOS', pc: 'PC', console: 'Console' },
} as const satisfies Record<TagKind, Record<string, string>>

/** Adds what is missing and leaves what staff wrote. Returns what was added, in words for an operator. */
export async function insertFirstData(tx: Sql): Promise<string[]> {
  const methods = PAYMENT_CODES.map((code, index) => ({ code, name: PAYMENT_METHOD[code].name, position: index + 1 }))
  const added = await tx.orm
    .insert(paymentMethod)
    .values(methods)
    .onConflictDoNothing()
    .returning({ code: paymentMethod.code })
  const told = added.map(({ code }) => `payment method ${code}`)
  for (const [kind, names] of Object.entries(FIRST_TAGS) as [TagKind, Record<string, string>][]) {
    if (await isKept(tx, kind)) continue
    const tags = Object.entries(names).map(([code, name], index) => ({ kind, code, name, position: index + 1 }))
    await tx.orm.insert(gameTag).values(tags)
    told.push(...tags.map(({ code }) => `${kind} ${code}`))
  }
  return told
}

/** Tells whether a list of tags is there, or was emptied by staff. */
async function isKept(tx: Sql, kind: TagKind): Promise<boolean> {
  const kept = as.bool(`EXISTS (SELECT 1 FROM ${tag} WHERE ${tag.kind} = $1)
    OR EXISTS (SELECT 1 FROM ${entry} WHERE ${entry.subject} = 'gameTag:' || $1)`)
  const [found] = await tx.query({ text: sql`SELECT ${row({ kept })}`, values: [kind] })
  return found!.kept
}

/** Names the first data that a database lacks; empty when it can sell. */
export async function findMissingData(db: Pick<Sql, 'query'>): Promise<string[]> {
  const lacking = (what: string) => row({ what: as.text(what) })
  const rows = await db.query({
    text: sql`SELECT ${lacking(`'payment method ' || needed.code`)} FROM unnest($1::text[]) AS needed (code)
      WHERE NOT EXISTS (SELECT 1 FROM ${m} WHERE ${m.code} = needed.code)
      UNION ALL SELECT ${lacking(`'terms'`)} WHERE NOT EXISTS (SELECT 1 FROM ${under(terms)})`,
    values: [PRICE_CODES],
  })
  return rows.map(({ what }) => what)
}
