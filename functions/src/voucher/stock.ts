import type { ParsedInput } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { addSeconds, bangkokDay } from '@shop/shared/time.ts'
import * as contract from '@shop/shared/voucher/endpoints.ts'
import { listSoonestExpiries } from '@shop/shared/voucher/expiry-endpoints.ts'
import { DRAFT_SECONDS, takesEvidence } from '@shop/shared/voucher/voucher.ts'
import { uuidv7 } from 'uuidv7'
import { may } from '../account/caller.ts'
import { audit } from '../audit/store.ts'
import { type Context, limitKey, mustBeOnce, personOf, type Route, route } from '../call/route.ts'
import { runOnce } from '../http/idempotency.ts'
import { inJson } from '../http/in-json.ts'
import type { Shop } from '../shop/shop.ts'
import { moveValue } from '../value/moving.ts'
import { type ReadCode, readCodes } from './read-codes.ts'
import { nameCodes } from './reseal.ts'
import * as stock from './stock-store.ts'
import { findSoonestExpiries, insertVouchers, lastFourOf, refreshOut, type VoucherKeys } from './store.ts'

function keysOf({ vouchers }: Pick<Shop, 'vouchers'>): VoucherKeys {
  if (!vouchers) throw new AppError('VOUCHER_KEYS_MISSING')
  return vouchers
}

/** Costs are told to those only who may manage suppliers. */
const costsFor = (context: Context) => {
  const seesCosts = may(context, 'supplier.manage')
  return (satang: number | null) => (seesCosts ? satang : null)
}

async function listStock(context: Context, query: ParsedInput<typeof contract.listStock>['query']) {
  const { shop, now } = context
  const { rows, total } = await stock.findStock(shop.db, query, bangkokDay(now))
  const cost = costsFor(context)
  const shown = rows.map(({ valueSatang, ...row }) => ({ ...row, valueSatang: cost(valueSatang) }))
  return { rows: shown, total, nowDate: now.toISOString() }
}

async function listBatches(context: Context, query: ParsedInput<typeof contract.listVoucherBatches>['query']) {
  const { shop, now } = context
  const { rows, total } = await stock.findBatches(shop.db, query, bangkokDay(now))
  const cost = costsFor(context)
  const shown = rows.map(row => ({ ...inJson(row), costSatang: cost(row.costSatang) }))
  return { rows: shown, total, nowDate: now.toISOString() }
}

async function listCodes(context: Context, query: ParsedInput<typeof contract.listVouchers>['query']) {
  const { shop, now } = context
  const { rows, total } = await stock.findVouchers(shop.db, query, bangkokDay(now))
  const cost = costsFor(context)
  const shown = rows.map(
    ({ withdrawnAt, withdrawnReason, withdrawnByName, evidenceSlipId, complaint, isSeen, isReplacement, ...row }) => ({
      ...inJson(row),
      costSatang: cost(row.costSatang),
      takesEvidence: row.orderNo !== null && takesEvidence({ isSeen, isReplacement }),
      withdrawn: withdrawnAt && {
        at: withdrawnAt.toISOString(),
        byName: withdrawnByName,
        reason: withdrawnReason ?? '',
        evidenceSlipId,
        complaint,
      },
    }),
  )
  return { rows: shown, total, nowDate: now.toISOString() }
}

/** So many lines of each kind are listed in a preview. */
const MOST_LINES = 100
/** So many codes are shown of its beginning and its end. */
const SHOWN = 3

const listed = <T>(rows: readonly T[]) => ({ count: rows.length, rows: rows.slice(0, MOST_LINES) })

const masked = (code: ReadCode) => ({
  line: code.line,
  lastFour: lastFourOf(code),
  hasPin: code.pin !== null,
  hasSerial: code.serial !== null,
  expiresOn: code.expiresOn,
})

/** Tells apart codes that are new, that stand further up in the file, and that the shop has or has had. */
async function compare(shop: Shop, keys: VoucherKeys, codes: readonly ReadCode[]) {
  await nameCodes(shop.db, keys)
  const hashes = codes.map(code => keys.codeHashes(code))
  const known = await stock.findKnownHashes(shop.db, hashes.flat())
  const firstLines = new Map<string, number>()
  const found = {
    fresh: [] as ReadCode[],
    repeated: [] as { line: number; firstLine: number }[],
    known: [] as { line: number }[],
  }
  for (const [at, code] of codes.entries()) {
    const [hash] = hashes[at]!
    const firstLine = firstLines.get(hash!)
    if (firstLine !== undefined) found.repeated.push({ line: code.line, firstLine })
    else if (hashes[at]!.some(each => known.has(each))) found.known.push({ line: code.line })
    else found.fresh.push(code)
    if (firstLine === undefined) firstLines.set(hash!, code.line)
  }
  return found
}

/** Keeps what can be imported of a file, encrypted, so that the codes are sent only once. */
async function preview(context: Context, packageId: number) {
  const { shop, now, file } = context
  const keys = keysOf(shop)
  await shop.limits.take('codeFilesPerCaller', limitKey(context))
  const [named] = (await stock.findStock(shop.db, { packageId, page: 1, pageSize: 1 }, bangkokDay(now))).rows
  if (!named) throw new AppError('VOUCHER_PACKAGE_WRONG')
  invariant(file, 'the endpoint takes a file')
  const { codes, bad } = readCodes(file.bytes, bangkokDay(now))
  const { fresh, repeated, known } = await compare(shop, keys, codes)
  const draftId = uuidv7()
  const sealed = keys.sealText(draftId, JSON.stringify(fresh))
  const draft = { id: draftId, packageId, sealed, madeBy: personOf(context).uid, madeAt: now }
  await shop.db.transaction(tx => stock.saveDraft(tx, draft))
  return {
    draftId,
    good: fresh.length,
    first: fresh.slice(0, SHOWN).map(masked),
    last: fresh.slice(SHOWN).slice(-SHOWN).map(masked),
    repeated: listed(repeated),
    known: listed(known),
    bad: listed(bad),
  }
}

type Import = ParsedInput<typeof contract.importCodes>['body']

async function importCodes(context: Context, { draftId, name, costSatang }: Import) {
  const { shop, now } = context
  const keys = keysOf(shop)
  const by = personOf(context)
  await nameCodes(shop.db, keys)
  const imported = await runOnce(shop.db, mustBeOnce(context), now, async tx => {
    const draft = await stock.takeDraft(tx, draftId, by.uid, addSeconds(now, -DRAFT_SECONDS))
    const text = draft && keys.openText(draftId, draft.sealed)
    if (!draft || text === null) throw new AppError('CODE_DRAFT_GONE')
    const codes = JSON.parse(text) as ReadCode[]
    const { packageId } = draft
    const batchId = uuidv7()
    const batch = { id: batchId, packageId, name, costSatang, importedBy: by.uid, importedAt: now }
    await stock.insertBatch(tx, { ...batch, pieces: codes.length })
    const of = { packageId, batchId, attemptId: null, orderId: null, state: 'free', costSatang } as const
    const pieces = await insertVouchers(tx, keys, codes, of, now)
    if (pieces === 0) throw new AppError('CODES_ALL_KNOWN')
    const known = codes.length - pieces
    if (known > 0) await stock.savePieces(tx, batchId, pieces)
    const after = { name, imported: pieces, known, costSatang }
    await audit(tx, by, { action: 'voucher.import', subject: `voucherBatch:${batchId}`, before: null, after })
    return { batchId, packageId, imported: pieces, known }
  })
  await refreshOut(shop.db, imported.packageId, bangkokDay(now))
  return imported
}

type Withdrawal = ParsedInput<typeof contract.withdrawVouchers>['body']

const subjectOf = (which: stock.Which) =>
  'id' in which ? (`voucher:${which.id}` as const) : (`voucherBatch:${which.batchId}` as const)

/** Takes codes out of sale, or puts them back. */
async function change(context: Context, { of, reason }: Withdrawal, to: 'withdrawn' | 'free') {
  const { shop, now } = context
  const by = personOf(context)
  const { packageId, pieces } = await shop.db.transaction(async tx => {
    const named = await stock.findNamed(tx, of)
    if (!named) throw new AppError('NOT_FOUND')
    const changed =
      to === 'withdrawn' ? await stock.withdrawFree(tx, of, { ...by, reason }) : await stock.returnWithdrawn(tx, of)
    if (changed === 0) throw new AppError(to === 'withdrawn' ? 'VOUCHER_NOT_FREE' : 'VOUCHER_NOT_WITHDRAWN')
    const name = 'id' in of ? { lastFour: named.name } : { name: named.name }
    await audit(tx, by, {
      action: to === 'withdrawn' ? 'voucher.withdraw' : 'voucher.return',
      subject: subjectOf(of),
      before: name,
      after: { ...name, pieces: changed, reason },
    })
    return { packageId: named.packageId, pieces: changed }
  })
  await refreshOut(shop.db, packageId, bangkokDay(now))
  return { pieces }
}

async function see(context: Context, { id, reason }: ParsedInput<typeof contract.seeVoucher>['body']) {
  const { shop } = context
  const keys = keysOf(shop)
  const by = personOf(context)
  await shop.limits.take('seenCodesPerCaller', limitKey(context))
  // Nobody has seen it unless that is kept.
  return shop.db.transaction(async tx => {
    const found = await stock.findSealed(tx, id)
    if (!found) throw new AppError('NOT_FOUND')
    const { lastFour, costSatang: amountSatang } = found
    const note = `รหัสลงท้าย ${lastFour} ${reason}`
    await moveValue(tx, by, { kind: 'codeSeen', amountSatang, subject: `voucher:${id}`, note })
    await audit(tx, by, { action: 'voucher.see', subject: `voucher:${id}`, before: null, after: { lastFour, reason } })
    return keys.open(id, found.sealed)
  })
}

export const stockRoutes: Route[] = [
  route(listSoonestExpiries, ({ params }, { shop, now }) =>
    findSoonestExpiries(shop.db, params.gameId, bangkokDay(now)),
  ),
  route(contract.listStock, ({ query }, context) => listStock(context, query)),
  route(contract.listVoucherBatches, ({ query }, context) => listBatches(context, query)),
  route(contract.listVouchers, ({ query }, context) => listCodes(context, query)),
  route(contract.previewCodes, ({ params }, context) => preview(context, params.packageId)),
  route(contract.importCodes, ({ body }, context) => importCodes(context, body)),
  route(contract.withdrawVouchers, ({ body }, context) => change(context, body, 'withdrawn')),
  route(contract.returnVouchers, ({ body }, context) => change(context, body, 'free')),
  route(contract.seeVoucher, ({ body }, context) => see(context, body)),
]
