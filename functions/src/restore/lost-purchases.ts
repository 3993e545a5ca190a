import { AppError } from '@shop/shared/errors.ts'
import { parseBaht } from '@shop/shared/typed-baht.ts'
import { uuidv7 } from 'uuidv7'
import { game, gamePackage } from '../catalogue/tables.ts'
import type { Database, Sql } from '../database/database.ts'
import { Refusal } from '../database/refusal.ts'
import { as, orNull, pick, row, sql, under } from '../database/sql.ts'
import { csvRows } from '../statement/csv-rows.ts'
import type { Supplier } from '../supplier/provider.ts'
import { supplierAttempt } from '../supplier/tables.ts'
import { lostPurchase } from './tables.ts'

const [x, lost] = [under(lostPurchase, 'x'), under(lostPurchase)]
const [p, g] = [under(gamePackage, 'p'), under(game, 'g')]
const a = under(supplierAttempt)

/** A purchase in the list that a supplier shows its customers, as far as it tells. */
export interface ListedPurchase {
  reference: string
  boughtAt: Date | null
  product: string | null
  player: string | null
  costSatang: number | null
}

/** The names of columns, in small letters. */
const COLUMNS = {
  reference: ['reference', 'mch_order_id', 'merchant order id'],
  time: ['time', 'date', 'created', 'created_at', 'timestamp'],
  product: ['product', 'type_id', 'item', 'name'],
  player: ['player', 'player_id', 'user_id', 'account'],
  cost: ['cost', 'amount', 'pay_amount', 'price'],
} as const

/** A moment in seconds since 1970, or as text; without a zone it is Bangkok's. */
function momentOf(text: string): Date | null {
  if (!text) return null
  if (/^\d{9,11}$/.test(text)) return new Date(Number(text) * 1000)
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(text)
  const moment = new Date(hasZone ? text : `${text.replace(' ', 'T')}+07:00`)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** @throws Refusal */
function rowsOf(text: string): string[][] {
  try {
    return csvRows(text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new Refusal('The list is cut off: a quote that was opened is never closed.')
  }
}

/**
 * Reads the supplier's list from a CSV file whose first line names its columns. Only the reference must be there.
 * @throws Refusal
 */
export function readPurchases(text: string): ListedPurchase[] {
  const [head = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ''))
  const names = head.map(name => name.trim().toLowerCase())
  const placeOf = (column: keyof typeof COLUMNS) =>
    names.findIndex(name => (COLUMNS[column] as readonly string[]).includes(name))
  if (placeOf('reference') < 0)
    throw new Refusal(`The first line must name a column "reference"; it names ${names.join(', ') || 'nothing'}.`)
  const cell = (row: string[], column: keyof typeof COLUMNS) => row[placeOf(column)]?.trim() ?? ''
  return rows.flatMap(row => {
    const reference = cell(row, 'reference')
    if (!reference) return []
    const cost = cell(row, 'cost').replaceAll(',', '')
    return [
      {
        reference,
        boughtAt: momentOf(cell(row, 'time')),
        product: cell(row, 'product') || null,
        player: cell(row, 'player') || null,
        costSatang: /^\d+(\.\d{1,2})?$/.test(cost) ? parseBaht(cost) : null,
      },
    ]
  })
}

/** What became of a list. */
export interface TakenUp {
  listed: number
  /** How many of them are newly written down as cases. */
  found: number
  /** Those about which the supplier gave no answer. */
  unanswered: string[]
}

const isKnown = async (db: Sql, supplier: string, reference: string): Promise<boolean> => {
  const [known] = await db.query({
    text: sql`SELECT FROM ${a} WHERE ${a.supplier} = $1 AND ${a.reference} = $2
      UNION ALL SELECT FROM ${lost} WHERE ${lost.supplier} = $1 AND ${lost.reference} = $2`,
    values: [supplier, reference],
  })
  return known !== undefined
}

/**
 * Writes down what the supplier's list has and no order here knows, each after the supplier was asked about it: what
 * failed there or was given back cost nothing, and what it does not know is a line of somebody else's.
 */
export async function takeUpPurchases(
  db: Database,
  supplier: Supplier,
  listed: readonly ListedPurchase[],
  now: () => Date,
): Promise<TakenUp> {
  const result: TakenUp = { listed: listed.length, found: 0, unanswered: [] }
  for (const { reference, boughtAt, product, player, costSatang } of listed) {
    if (await isKnown(db, supplier.name, reference)) continue
    const told = await supplier.status({ reference, sku: '-', delivers: 'top_up', quantity: 1 }, null)
    const { kind } = told.answer
    if (kind === 'unknown') result.unanswered.push(reference)
    if (kind !== 'delivered' && kind !== 'pending') continue
    const rows = await db.query({
      text: sql`INSERT INTO ${lost} (${lost.id}, ${lost.supplier}, ${lost.reference}, ${lost.theirId}, ${lost.boughtAt},
          ${lost.product}, ${lost.player}, ${lost.costSatang}, ${lost.foundAt})
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT ON CONSTRAINT lost_purchase_once DO NOTHING
        RETURNING ${row(pick(lost, 'id'))}`,
      values: [
        uuidv7(),
        supplier.name,
        reference,
        told.theirId,
        boughtAt,
        product,
        player,
        told.costSatang ?? costSatang,
        now(),
      ],
    })
    result.found += rows.length
  }
  return result
}

/** A purchase of which no order is known. */
export interface LostPurchase {
  id: string
  reference: string
  theirId: string | null
  boughtAt: Date | null
  /** Our names where the list told the supplier's number of the product, else its own words. */
  product: string | null
  player: string | null
  costSatang: number | null
}

/** Returns the purchases that nobody has dealt with, oldest first. */
export const findLostPurchases = (db: Sql): Promise<LostPurchase[]> =>
  db.query({
    text: sql`SELECT ${row<LostPurchase>({
      ...pick(x, 'id', 'reference', 'theirId', 'boughtAt', 'player', 'costSatang'),
      product: orNull(
        as.text(`coalesce((SELECT ${g.name} || ' · ' || ${p.name} FROM ${p} JOIN ${g} ON ${g.id} = ${p.gameId}
          WHERE ${p.sources} @> jsonb_build_array(jsonb_build_object('sku', ${x.product}))
          ORDER BY ${p.id} LIMIT 1), ${x.product})`),
      ),
    })}
      FROM ${x} WHERE ${x.closedAt} IS NULL ORDER BY ${x.boughtAt} NULLS LAST, ${x.id}`,
  })

/** Returns false when it is none of those that wait. */
export async function closePurchase(
  tx: Sql,
  id: string,
  word: { by: string; reason: string; now: Date },
): Promise<boolean> {
  const rows = await tx.query({
    text: sql`UPDATE ${lost} SET ${lost.closedBy} = $2, ${lost.closedAt} = $3, ${lost.closedReason} = $4
      WHERE ${lost.id} = $1 AND ${lost.closedAt} IS NULL RETURNING ${row(pick(lost, 'id'))}`,
    values: [id, word.by, word.now, word.reason],
  })
  return rows.length > 0
}
