import type { Satang } from '@shop/shared/money.ts'
import { OPTION, OPTION_NAMES, type OptionName, type Options, optionsFrom } from '@shop/shared/settings/option.ts'
import { account, termsAcceptance } from '../account/tables.ts'
import type { Sql } from '../database/database.ts'
import { personName } from '../database/listing.ts'
import { as, orNull, outer, pick, row, sql, under } from '../database/sql.ts'
import type { CatalogueChange } from './catalogue-change.ts'
import { option, terms } from './tables.ts'

/**
 * Returns the amount in satang above which a single person may not decide alone; value/store.ts reads the same option.
 */
export const twoPersonAmountOf = ({ TWO_PERSON_APPROVAL_AMOUNT }: Options): Satang => TWO_PERSON_APPROVAL_AMOUNT * 100

export async function findOptions(db: Sql): Promise<Options> {
  const rows = await db.orm.select({ name: option.name, value: option.value }).from(option)
  return optionsFrom(Object.fromEntries(rows.map(({ name, value }) => [name, value])))
}

/** An option as text, and who set it. */
export interface SetOption {
  optionName: OptionName
  optionValue: string
  updatedBy: string | null
  updatedByName: string | null
  updatedAt: Date | null
}

const [o, t, a, c] = [under(option, 'o'), under(terms, 't'), outer(account, 'a'), under(termsAcceptance, 'c')]
const BY_NAME = orNull(personName('a'))
const SET_OPTION = row<SetOption>({
  // Nothing else is ever stored there.
  optionName: as.shape<OptionName>(`${o.name}`),
  optionValue: o.value,
  ...pick(o, 'updatedBy', 'updatedAt'),
  updatedByName: BY_NAME,
})

/** Returns every option; one that was never set or can't be read has its default. */
export async function findSetOptions(db: Sql): Promise<SetOption[]> {
  const rows = await db.query({
    text: sql`SELECT ${SET_OPTION}
      FROM ${o} LEFT JOIN ${a} ON ${a.uid} = ${o.updatedBy}`,
  })
  return OPTION_NAMES.map(optionName => {
    const { read, standard } = OPTION[optionName]
    const set = rows.find(each => each.optionName === optionName)
    if (set && read(set.optionValue) !== null) return set
    return { optionName, optionValue: String(standard), updatedBy: null, updatedByName: null, updatedAt: null }
  })
}

export async function saveOptionRow(
  { tx, person }: CatalogueChange,
  set: Pick<SetOption, 'optionName' | 'optionValue'>,
): Promise<void> {
  const stored = { value: set.optionValue, updatedBy: person.uid, updatedAt: person.now }
  await tx.orm
    .insert(option)
    .values({ name: set.optionName, ...stored })
    .onConflictDoUpdate({ target: option.name, set: stored })
}

export interface StoredTerms {
  version: string
  body: string
  publishedAt: Date
  publishedByName: string | null
  /** The number of accounts and browsers that accepted them. */
  acceptances: number
}

const TERMS = row<StoredTerms>({
  ...pick(t, 'version', 'body', 'publishedAt'),
  publishedByName: BY_NAME,
  acceptances: as.int(`(SELECT count(*) FROM ${c} WHERE ${c.version} = ${t.version})`),
})

const LATEST = `${t.publishedAt} DESC, ${t.version}::int DESC`

/** Every version of the terms, newest first. */
export async function findTerms(db: Sql): Promise<StoredTerms[]> {
  return db.query({
    text: sql`SELECT ${TERMS}
      FROM ${t} LEFT JOIN ${a} ON ${a.uid} = ${t.publishedBy} ORDER BY ${LATEST}`,
  })
}

/** Returns the terms in force. */
export async function findLatestTerms(db: Sql): Promise<Pick<StoredTerms, 'version' | 'body' | 'publishedAt'>> {
  const [latest] = await db.query({
    name: 'terms_latest',
    text: sql`SELECT ${row(pick(t, 'version', 'body', 'publishedAt'))} FROM ${t} ORDER BY ${LATEST} LIMIT 1`,
  })
  return latest!
}

/** Tells whether this version of the terms was ever published. */
export async function isPublishedTerms(db: Sql, version: string): Promise<boolean> {
  return (await db.query({ text: sql`SELECT FROM ${t} WHERE ${t.version} = $1`, values: [version] })).length > 0
}

export async function insertTerms({ tx, person }: CatalogueChange, made: { version: string; body: string }) {
  await tx.orm.insert(terms).values({ ...made, publishedAt: person.now, publishedBy: person.uid })
}
