import * as bulk from '@shop/shared/catalogue/bulk-endpoints.ts'
import { PRICE_CODES } from '@shop/shared/catalogue/payment-method.ts'
import { type PriceFault, priceFaultNow, settled } from '@shop/shared/catalogue/price-editing.ts'
import type { ParsedInput, Reply } from '@shop/shared/endpoint.ts'
import { formatDateTime } from '@shop/shared/time.ts'
import { type Context, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { csvReply, oneBatch } from '../http/csv.ts'
import { changeCatalogue } from '../settings/catalogue-change.ts'
import { findManagedGames } from './game-store.ts'
import {
  BY_HAND,
  belowDiscount,
  changesOf,
  fieldsOf,
  type PackageEdit,
  tiersAbove,
  writePackages,
} from './package-changes.ts'
import {
  type CellProblem,
  cellsOf,
  dayOrderOf,
  PACKAGE_COLUMNS,
  type PackageCells,
  type PackageRow,
  readLines,
  readRow,
} from './package-csv.ts'
import { findNamesakes, findStoredPackages, type StoredPackage } from './package-store.ts'

/** The number of changes that a preview describes. */
const PREVIEW_ROWS = 100

type Result = Reply<typeof bulk.importPackages>

const rowOf = ({ gameCode: game, prices, ...stored }: StoredPackage, now: Date): PackageRow => ({
  game,
  id: stored.id,
  version: stored.version,
  name: stored.name,
  desc: stored.desc,
  isActive: stored.isActive,
  prices: prices.map(price => settled(price, now)),
})

async function exportPackages({ shop, now }: Context, gameIds: number[] | undefined) {
  const packages = await findStoredPackages(shop.db, { gameIds })
  const columnsOf = (sold: StoredPackage) => {
    const cells = cellsOf(rowOf(sold, now))
    return PACKAGE_COLUMNS.map(column => cells[column])
  }
  return csvReply({ header: [...PACKAGE_COLUMNS], cellsOf: columnsOf }, oneBatch(packages), now)
}

/** A line of the file and its effect. */
interface Planned {
  line: number
  edit: PackageEdit | null
  row: PackageRow
  problems: CellProblem[]
}

const editsOf = (planned: readonly Planned[]): PackageEdit[] => planned.flatMap(({ edit }) => edit ?? [])

/** Returns the cells in which two lines differ, one text for each. */
function difference(before: PackageCells | null, after: PackageCells): { before: string; after: string } {
  const differing = PACKAGE_COLUMNS.filter(column => column !== 'version' && (before?.[column] ?? '') !== after[column])
  const words = (cells: PackageCells | null) =>
    cells ? differing.map(column => `${column}: ${cells[column] || '-'}`).join(' · ') : ''
  return { before: words(before), after: words(after) }
}

/** Returns what a line changes. Only the prices in the line are shown, because the others stay as they are. */
function shownChange(read: StoredPackage | null, row: PackageRow, now: Date) {
  const was = read && rowOf(read, now)
  const kept = was?.prices.filter(({ payment }) => !row.prices.some(price => price.payment === payment)) ?? []
  const is = { ...row, prices: PRICE_CODES.flatMap(code => [...row.prices, ...kept].filter(p => p.payment === code)) }
  return difference(was && cellsOf(was), cellsOf(is))
}

/** The games and packages of the shop that a file names. */
interface Known {
  games: Map<string, number>
  packages: Map<number, StoredPackage>
}

/** Returns why a line may not overwrite the package it names. */
function problemOfId(row: PackageRow, { games, packages }: Known, now: Date): CellProblem | null {
  if (row.id === null) return null
  const read = packages.get(row.id)
  if (!read) return { column: 'id', problem: `ไม่พบแพ็กเกจ ${row.id}` }
  const gameId = games.get(row.game)
  if (gameId !== undefined && read.gameId !== gameId)
    return { column: 'game', problem: `แพ็กเกจ ${row.id} เป็นของเกม ${read.gameCode}` }
  if (row.version === null) return { column: 'version', problem: 'แพ็กเกจที่มีอยู่แล้วต้องมี version กรุณาแก้ในไฟล์ที่ดาวน์โหลดใหม่' }
  if (row.version === read.version) return null
  const { before, after } = shownChange(read, row, now)
  // The package already equals the line, so nothing would be overwritten.
  if (after === '') return null
  const who = read.updatedByName ? ` โดย ${read.updatedByName}` : ''
  const when = read.updatedAt ? ` เมื่อ ${formatDateTime(read.updatedAt)}` : ''
  return { column: 'version', problem: `ถูกแก้ไขหลังดาวน์โหลดไฟล์${who}${when} (ตอนนี้ ${before} | ในไฟล์ ${after})` }
}

/**
 * Finds new lines whose name the game already has, in the shop or in the file, so that importing the same file twice
 * adds nothing.
 */
async function findAddedTwice(
  db: Sql,
  rows: readonly PackageRow[],
  { games }: Known,
): Promise<Map<PackageRow, string>> {
  const keyOf = ({ game, name }: PackageRow) => `${games.get(game)}/${name}`
  const [named, added] = [rows.filter(({ id }) => id !== null), rows.filter(({ id }) => id === null)]
  const names = added.map(({ game, name }) => ({ gameId: games.get(game) ?? 0, name }))
  const stored = await findNamesakes(db, names)
  const written = new Set(named.map(({ id }) => id))
  const taken = new Map([
    ...stored.filter(({ id }) => !written.has(id)).map(({ id, gameId, name }) => [`${gameId}/${name}`, id] as const),
    ...named.map(row => [keyOf(row), row.id] as const),
  ])
  const seen = new Set<string>()
  const problems = new Map<PackageRow, string>()
  for (const row of added) {
    const id = taken.get(keyOf(row))
    if (id) problems.set(row, `เกมนี้มีแพ็กเกจชื่อนี้แล้ว (id ${id}) ใส่ id เพื่อแก้ไข หรือใช้ชื่ออื่นเพื่อเพิ่มใหม่`)
    else if (seen.has(keyOf(row))) problems.set(row, 'ชื่อซ้ำกับแพ็กเกจใหม่อีกบรรทัดในไฟล์')
    seen.add(keyOf(row))
  }
  return problems
}

const COLUMN_OF = { endDay: 'end', nextDay: 'next_day' } as const satisfies Partial<Record<PriceFault['at'], string>>

/**
 * Returns the days of a line that have passed, as the price dialog would refuse them. A start that has passed is no
 * fault of a file: it says since when the package has been sold, here or in the shop that the file comes from.
 */
const passedDaysOf = ({ prices }: PackageRow, read: StoredPackage | null, now: Date): CellProblem[] =>
  prices.flatMap(price => {
    const was = read?.prices.find(({ payment }) => payment === price.payment)
    const fault = priceFaultNow(price, was, now)
    if (!fault || fault.at === 'startDay') return []
    const column = COLUMN_OF[fault.at as keyof typeof COLUMN_OF] ?? 'price'
    return [{ column: `${price.payment}_${column}` as const, problem: fault.text }]
  })

/** Returns the effect of each line and everything that is wrong with it. */
async function plan(db: Sql, csv: string, now: Date): Promise<Planned[]> {
  const read = readLines(csv)
  const order = dayOrderOf(read)
  const lines = read.map(line => ({ line: line.line, ...readRow(line, order) }))
  const ids = lines.flatMap(({ row }) => row.id ?? [])
  const known: Known = {
    games: new Map((await findManagedGames(db, now)).map(({ code, id }) => [code, id])),
    packages: new Map((await findStoredPackages(db, { ids })).map(each => [each.id, each])),
  }
  const readable = lines.flatMap(({ row, problems }) => (problems.length > 0 ? [] : [row]))
  const twice = await findAddedTwice(db, readable, known)
  const seen = new Set<number>()
  const planned = lines.map(({ line, row, problems }): Planned => {
    const gameId = known.games.get(row.game)
    if (gameId === undefined) problems.push({ column: 'game', problem: `ไม่พบเกม ${row.game}` })
    const wrong = problemOfId(row, known, now)
    if (wrong) problems.push(wrong)
    if (row.id !== null && seen.has(row.id)) problems.push({ column: 'id', problem: `แพ็กเกจ ${row.id} ซ้ำในไฟล์` })
    if (row.id !== null) seen.add(row.id)
    if (twice.has(row)) problems.push({ column: 'name', problem: twice.get(row)! })
    const read = row.id === null ? null : (known.packages.get(row.id) ?? null)
    if (problems.length === 0) problems.push(...passedDaysOf(row, read, now))
    if (problems.length > 0 || gameId === undefined) return { line, row, problems, edit: null }
    const fields = { ...(read ? fieldsOf(read) : BY_HAND), ...row, gameId }
    return { line, row, problems, edit: { read, fields, prices: row.prices } }
  })
  const tiers = await tiersAbove(db, editsOf(planned), now)
  for (const { edit, problems } of planned) {
    const above = edit?.read && tiers.get(edit.read.id)
    if (above) problems.push({ column: 'wallet_price', problem: belowDiscount(above).message })
  }
  return planned
}

function resultOf(planned: Planned[], now: Date): Result {
  const edits = editsOf(planned)
  const isChange = (edit: PackageEdit) => Object.values(changesOf(edit, now)).some(Boolean)
  const changing = planned.filter(({ edit }) => edit && isChange(edit))
  const added = edits.filter(({ read }) => !read).length
  return {
    added,
    changed: changing.length - added,
    unchanged: edits.length - changing.length,
    problems: planned.flatMap(({ line, problems }) => problems.map(each => ({ line, ...each }))),
    preview: changing.slice(0, PREVIEW_ROWS).map(({ line, row, edit }) => ({
      line,
      name: row.name,
      ...shownChange(edit?.read ?? null, row, now),
    })),
  }
}

async function importPackages(context: Context, { csv, isDryRun }: ParsedInput<typeof bulk.importPackages>['body']) {
  const { shop, now } = context
  if (isDryRun) return resultOf(await plan(shop.db, csv, now), now)
  return changeCatalogue(shop, personOf(context), async change => {
    const planned = await plan(change.tx, csv, now)
    const result = resultOf(planned, now)
    if (result.problems.length === 0) await writePackages(change, editsOf(planned), 'package.import')
    return result
  })
}

export const importRoutes: Route[] = [
  route(bulk.exportPackages, ({ query }, context) => exportPackages(context, query.game)),
  route(bulk.importPackages, ({ body }, context) => importPackages(context, body)),
]
