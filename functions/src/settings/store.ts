import type { Satang } from '@shop/shared/money.ts'
import { OPTION, OPTION_NAMES, type OptionName, type Options, optionsFrom } from '@shop/shared/settings/option.ts'
import type { Sql } from '../database/database.ts'
import { columns, personName, sqlOf } from '../database/listing.ts'
import type { CatalogueChange } from './catalogue-change.ts'
import { option, terms } from './tables.ts'

/**
 * Returns the amount in satang above which a single person may not decide alone; value/store.ts reads the same option.
 */
export const twoPersonAmountOf = ({ TWO_PERSON_APPROVAL_AMOUNT }: Options): Satang => TWO_PERSON_APPROVAL_AMOUNT * 100

export async function findOptions(db: Sql): Promise<Options> {
  const rows = await db.orm.select({ name: option.name, value: option.value }).from(option)
  return optionsFrom(Object.fromEntries(rows.map(row => [row.name, row.value])))
}

/** An option as text, and who set it. */
export interface SetOption {
  optionName: OptionName
  optionValue: string
  updatedBy: string | null
  updatedByName: string | null
  updatedAt: Date | null
}

const SET_OPTION = columns<SetOption>({
  optionName: 'o.name',
  optionValue: 'o.value',
  ...sqlOf(option, 'o', 'updatedBy', 'updatedAt'),
  updatedByName: personName('a'),
})

/** Returns every option; one that was never set or can't be read has its default. */
export async function findSetOptions(db: Sql): Promise<SetOption[]> {
  const rows = await db.query<SetOption>({
    text: `SELECT ${SET_OPTION}
      FROM option o LEFT JOIN account a ON a.uid = o.updated_by`,
  })
  return OPTION_NAMES.map(optionName => {
    const { read, standard } = OPTION[optionName]
    const set = rows.find(row => row.optionName === optionName)
    if (set && read(set.optionValue) !== null) return set
    return { optionName, optionValue: String(standard), updatedBy: null, updatedByName: null, updatedAt: null }
  })
}

export async function saveOptionRow(
  { tx, person }: CatalogueChange,
  set: Pick<SetOption, 'optionName' | 'optionValue'>,
): Promise<void> {
  const row = { value: set.optionValue, updatedBy: person.uid, updatedAt: person.now }
  await tx.orm
    .insert(option)
    .values({ name: set.optionName, ...row })
    .onConflictDoUpdate({ target: option.name, set: row })
}

export interface StoredTerms {
  version: string
  body: string
  publishedAt: Date
  publishedByName: string | null
  /** The number of accounts and browsers that accepted them. */
  acceptances: number
}

const TERMS = columns<StoredTerms>({
  ...sqlOf(terms, 't', 'version', 'body', 'publishedAt'),
  publishedByName: personName('a'),
  acceptances: '(SELECT count(*)::int FROM terms_acceptance c WHERE c.version = t.version)',
})

/** Every version of the terms, newest first. */
export async function findTerms(db: Sql): Promise<StoredTerms[]> {
  return db.query({
    text: `SELECT ${TERMS}
      FROM terms t LEFT JOIN account a ON a.uid = t.published_by ORDER BY t.published_at DESC, t.version::int DESC`,
  })
}

/** Returns the terms in force. */
export async function findLatestTerms(db: Sql): Promise<Pick<StoredTerms, 'version' | 'body' | 'publishedAt'>> {
  const [row] = await db.query<StoredTerms>({
    name: 'terms_latest',
    text: `SELECT version, body, published_at AS "publishedAt" FROM terms ORDER BY published_at DESC, version::int DESC LIMIT 1`,
  })
  return row!
}

/** Tells whether this version of the terms was ever published. */
export async function isPublishedTerms(db: Sql, version: string): Promise<boolean> {
  return (await db.query({ text: 'SELECT 1 FROM terms WHERE version = $1', values: [version] })).length > 0
}

export async function insertTerms({ tx, person }: CatalogueChange, made: { version: string; body: string }) {
  await tx.orm.insert(terms).values({ ...made, publishedAt: person.now, publishedBy: person.uid })
}
