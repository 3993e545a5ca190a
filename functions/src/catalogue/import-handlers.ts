import { PAYMENT_CODES } from '@shop/shared/catalogue/catalogue.ts'
import * as contract from '@shop/shared/catalogue/manage-endpoints.ts'
import { settled } from '@shop/shared/catalogue/pricing.ts'
import type { ParsedInput, Reply } from '@shop/shared/endpoint.ts'
import type { Sql } from '../database/database.ts'
import { csvReply } from '../http/csv.ts'
import { type Context, personOf, type Route, route } from '../http/route.ts'
import { changeCatalogue } from '../settings/catalogue-change.ts'
import { findManagedGames } from './game-store.ts'
import { belowDiscount, changesOf, type PackageEdit, tiersAbove, writePackages } from './package-changes.ts'
import {
  type CellProblem,
  cellsOf,
  PACKAGE_COLUMNS,
  type PackageCells,
  type PackageRow,
  readLines,
  readRow,
} from './package-csv.ts'
import { findStoredPackages, type StoredPackage } from './package-store.ts'

/** Changes that are shown in words. */
const PREVIEW_ROWS = 100

type Result = Reply<typeof contract.importPackages>

const rowOf = ({ gameCode: game, id, name, desc, isActive, prices }: StoredPackage, now: Date): PackageRow => ({
  ...{ game, id, name, desc, isActive },
  prices: prices.map(price => settled(price, now)),
})

async function exportPackages({ shop, now }: Context, gameIds: number[] | undefined) {
  const packages = await findStoredPackages(shop.db, { gameIds })
  const rows = packages.map(sold => {
    const cells = cellsOf(rowOf(sold, now))
    return PACKAGE_COLUMNS.map(column => cells[column])
  })
  return csvReply([...PACKAGE_COLUMNS], rows, now)
}

/** A line of the file and what it does. */
interface Planned {
  line: number
  edit: PackageEdit | null
  row: PackageRow
  problems: CellProblem[]
}

/** What each line does, with everything that is wrong with it. */
async function plan(db: Sql, csv: string, now: Date): Promise<Planned[]> {
  const lines = readLines(csv).map(line => ({ line: line.line, ...readRow(line) }))
  const games = new Map((await findManagedGames(db)).map(({ code, id }) => [code, id]))
  const ids = lines.flatMap(({ row }) => row.id ?? [])
  const stored = new Map((await findStoredPackages(db, { ids })).map(each => [each.id, each]))
  const seen = new Set<number>()
  const planned = lines.map(({ line, row, problems }): Planned => {
    const gameId = games.get(row.game)
    const read = row.id === null ? null : stored.get(row.id)
    if (gameId === undefined) problems.push({ column: 'game', problem: `ไม่พบเกม ${row.game}` })
    if (read === undefined) problems.push({ column: 'id', problem: `ไม่พบแพ็กเกจ ${row.id}` })
    else if (read && gameId !== undefined && read.gameId !== gameId)
      problems.push({ column: 'game', problem: `แพ็กเกจ ${row.id} เป็นของเกม ${read.gameCode}` })
    if (row.id !== null && seen.has(row.id)) problems.push({ column: 'id', problem: `แพ็กเกจ ${row.id} ซ้ำในไฟล์` })
    if (row.id !== null) seen.add(row.id)
    const isWrong = problems.length > 0 || gameId === undefined || read === undefined
    return { line, row, problems, edit: isWrong ? null : { read, fields: { ...row, gameId }, prices: row.prices } }
  })
  const tiers = await tiersAbove(
    db,
    planned.flatMap(({ edit }) => edit ?? []),
    now,
  )
  for (const { edit, problems } of planned) {
    const above = edit?.read && tiers.get(edit.read.id)
    if (above) problems.push({ column: 'wallet_price', problem: belowDiscount(above).message })
  }
  return planned
}

/** The cells in which two lines differ, one text each. */
function difference(before: PackageCells | null, after: PackageCells): { before: string; after: string } {
  const differing = PACKAGE_COLUMNS.filter(column => (before?.[column] ?? '') !== after[column])
  const words = (cells: PackageCells | null) =>
    cells ? differing.map(column => `${column}: ${cells[column] || '-'}`).join(' · ') : ''
  return { before: words(before), after: words(after) }
}

/** A line shows only the prices it names; the others stay as they are. */
function shownChange({ line, edit, row }: Planned, now: Date) {
  const was = edit?.read ? rowOf(edit.read, now) : null
  const kept = was?.prices.filter(({ payment }) => !row.prices.some(price => price.payment === payment)) ?? []
  const is = { ...row, prices: PAYMENT_CODES.flatMap(code => [...row.prices, ...kept].filter(p => p.payment === code)) }
  return { line, name: row.name, ...difference(was && cellsOf(was), cellsOf(is)) }
}

function resultOf(planned: Planned[], now: Date): Result {
  const edits = planned.flatMap(({ edit }) => edit ?? [])
  const isChange = (edit: PackageEdit) => Object.values(changesOf(edit, now)).some(Boolean)
  const changing = planned.filter(({ edit }) => edit && isChange(edit))
  const added = edits.filter(({ read }) => !read).length
  return {
    added,
    changed: changing.length - added,
    unchanged: edits.length - changing.length,
    problems: planned.flatMap(({ line, problems }) => problems.map(each => ({ line, ...each }))),
    preview: changing.slice(0, PREVIEW_ROWS).map(each => shownChange(each, now)),
  }
}

async function importPackages(
  context: Context,
  { csv, isDryRun }: ParsedInput<typeof contract.importPackages>['body'],
) {
  const { shop, now } = context
  if (isDryRun) return resultOf(await plan(shop.db, csv, now), now)
  return changeCatalogue(shop.db, personOf(context), async change => {
    const planned = await plan(change.tx, csv, now)
    const result = resultOf(planned, now)
    if (result.problems.length === 0) {
      await writePackages(
        change,
        planned.flatMap(({ edit }) => edit ?? []),
        'package.import',
      )
    }
    return result
  })
}

export const importRoutes: Route[] = [
  route(contract.exportPackages, ({ query }, context) => exportPackages(context, query.game)),
  route(contract.importPackages, ({ body }, context) => importPackages(context, body)),
]
