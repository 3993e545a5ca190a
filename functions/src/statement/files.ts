import { bankOf } from '@shop/shared/catalogue/banks.ts'
import type { ParsedInput, Reply } from '@shop/shared/endpoint.ts'
import { AppError, invariant } from '@shop/shared/errors.ts'
import { isSameAccount } from '@shop/shared/statement/file-account.ts'
import * as contract from '@shop/shared/statement/import-endpoints.ts'
import { LAYOUT } from '@shop/shared/statement/layouts.ts'
import { lineKeys } from '@shop/shared/statement/line-keys.ts'
import type { ColumnMapping } from '@shop/shared/statement/mapping.ts'
import type { ReadLine } from '@shop/shared/statement/read-rows.ts'
import { uuidv7 } from 'uuidv7'
import { audit } from '../audit/store.ts'
import { type Context, limitKey, mustBeOnce, personOf, type Route, route } from '../call/route.ts'
import type { Sql } from '../database/database.ts'
import { runOnce } from '../http/idempotency.ts'
import { openAccountHash } from '../transfer/account-hash.ts'
import { countGaps } from './chain-store.ts'
import { weighFile } from './file-word.ts'
import {
  findAccount,
  findFile,
  findMappings,
  insertFile,
  markImported,
  type StatementAccount,
  type StatementFile,
  saveMapping,
} from './import-store.ts'
import { findAccounts } from './list-store.ts'
import type { ReadStatement } from './parse-statement.ts'
import { readStatement } from './read-statement.ts'
import { addNew, foreseeChain, pairWithKnown, type ToldLine } from './take-in.ts'

/** The number of lines that a preview shows. */
const SHOWN_LINES = 20

/** Returns the lines of a file with the keys that identify them. */
function toldLines(lines: readonly ReadLine[]): ToldLine[] {
  const keys = lineKeys(lines)
  return lines.map(({ rowNumber: _row, date, ...line }, index) => ({
    ...line,
    day: date,
    key: keys[index]!,
    reference: null,
  }))
}

async function readFor(context: Context, account: StatementAccount, bytes: Buffer, mapping: ColumnMapping | null) {
  const { shop, now } = context
  const saved = await findMappings(shop.db, account.id)
  return readStatement(bytes, { now, saved, account: account.accountNo, ...(mapping && { mapping }) })
}

/** A Thai account number has at least ten digits; many banks write only the last ones. */
const WHOLE_ACCOUNT = 10
const accountText = (digits: string) => (digits.length < WHOLE_ACCOUNT ? `ที่ลงท้ายด้วย ${digits}` : ` ${digits}`)

/**
 * Returns why a file does not belong to the account: it names another account or, when it names none, has another
 * bank's layout.
 */
function strangerOf({ lastDigits, layout, mapping, lines }: ReadStatement, account: StatementAccount): AppError | null {
  // When a file covers several accounts, only the rows of this one were read.
  if (mapping?.accountColumn != null && lines.length > 0) return null
  if (lastDigits !== null)
    return isSameAccount(lastDigits, account.accountNo)
      ? null
      : new AppError('STATEMENT_OTHER_ACCOUNT', { values: { account: accountText(lastDigits) } })
  const bank = layout && LAYOUT[layout].bank
  if (bank === null || bank === account.bankCode) return null
  return new AppError('STATEMENT_OTHER_BANK', { values: { bank: bankOf(bank).niceName } })
}

/** Returns the one account that a file names; null when it names none, or none of the shop's. */
async function findOwner(db: Sql, { lastDigits }: ReadStatement): Promise<number | null> {
  if (lastDigits === null) return null
  const [only, ...others] = (await findAccounts(db)).filter(({ accountNo }) => isSameAccount(lastDigits, accountNo))
  return only && others.length === 0 ? only.id : null
}

async function viewPreview(
  { shop }: Context,
  file: StatementFile,
  account: StatementAccount,
  read: ReadStatement,
): Promise<contract.StatementPreview> {
  const told = toldLines(read.lines)
  const { fresh: news, met } = await pairWithKnown(shop.db, account.id, told)
  const fresh = new Set(news)
  const chain = await foreseeChain(shop.db, account.id, { fresh: news, met })
  const stranger = strangerOf(read, account)
  const days = told.map(({ day }) => day).sort()
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
  return {
    fileId: file.id,
    fileName: file.fileName,
    encoding: read.encoding,
    layout: read.layout && LAYOUT[read.layout].name,
    mapping: read.mapping,
    proposal: read.proposal,
    rows: read.preview,
    counts: { fresh: fresh.size, known: told.length - fresh.size, unreadable: read.problemCount },
    inSatang: sum(told.map(({ amountSatang }) => Math.max(0, amountSatang))),
    outSatang: sum(told.map(({ amountSatang }) => Math.max(0, -amountSatang))),
    fromDay: days[0] ?? null,
    toDay: days.at(-1) ?? null,
    lines: told.slice(0, SHOWN_LINES).map((line, index) => ({
      ...line,
      rowNumber: read.lines[index]!.rowNumber,
      isKnown: !fresh.has(line),
    })),
    stranger: stranger && { message: stranger.message, receivingAccountId: await findOwner(shop.db, read) },
    // What another account's file does not have is no fault of the file.
    problems: stranger ? [] : read.problems,
    checks: [...read.checks, ...chain.checks],
    gaps: chain.gaps,
  }
}

async function takeFile(context: Context, accountId: number) {
  const { shop, now, file: sent } = context
  invariant(sent, 'the endpoint takes a file')
  await shop.limits.take('uploadsPerCaller', limitKey(context))
  const account = await findAccount(shop.db, accountId)
  if (!account) throw new AppError('NOT_FOUND')
  const read = await readFor(context, account, sent.bytes, null)
  const id = uuidv7()
  const fileKey = `statements/${id}`
  const fileName = sent.name.replace(/\p{C}/gu, '').slice(-200)
  const givenBy = personOf(context).uid
  const file = { id, receivingAccountId: account.id, fileName, fileKey, givenBy, importedAt: null }
  await shop.files.write(fileKey, sent.bytes, 'application/octet-stream')
  await insertFile(shop.db, file, now).catch(async (error: unknown) => {
    await shop.files.remove(fileKey)
    throw error
  })
  return viewPreview(context, file, account, read)
}

/** Returns a stored file with its account. @throws NOT_FOUND */
async function openFile({ shop }: Context, fileId: string) {
  const file = await findFile(shop.db, fileId)
  const bytes = file?.fileKey ? await shop.files.read(file.fileKey) : null
  if (!file || !bytes) throw new AppError('NOT_FOUND')
  const account = await findAccount(shop.db, file.receivingAccountId)
  invariant(account, 'a file was given for an account')
  return { file, account, bytes: Buffer.from(bytes) }
}

async function previewFile(context: Context, fileId: string, mapping: ColumnMapping) {
  const { file, account, bytes } = await openFile(context, fileId)
  return viewPreview(context, file, account, await readFor(context, account, bytes, mapping))
}

type Imported = Reply<typeof contract.importStatementFile>

/**
 * Reads the file again with the settings of the import. @throws STATEMENT_INVALID, STATEMENT_OTHER_ACCOUNT,
 * STATEMENT_OTHER_BANK
 */
async function prepareImport(context: Context, fileId: string, mapping: ColumnMapping | null) {
  const { file, account, bytes } = await openFile(context, fileId)
  const read = await readFor(context, account, bytes, mapping)
  const stranger = strangerOf(read, account)
  if (stranger) throw stranger
  const unreadable = read.mapping ? read.problemCount : read.rowCount
  if (unreadable > 0) throw new AppError('STATEMENT_INVALID', { values: { n: unreadable } })
  return { file, read }
}

async function importFile(
  context: Context,
  input: ParsedInput<typeof contract.importStatementFile>,
): Promise<Imported> {
  const person = personOf(context)
  const { uid, now } = person
  const { fileId } = input.params
  const { mapping, remember, acceptsGap } = input.body
  const take = async (tx: Sql, { file, read }: Awaited<ReturnType<typeof prepareImport>>): Promise<Imported> => {
    const { receivingAccountId, fileName } = file
    const { inSatang, ...counts } = await addNew(tx, toldLines(read.lines), {
      receivingAccountId,
      source: { fileId, feedKeyId: null },
      hashAccount: openAccountHash(context.shop.config),
      now,
    })
    if (!acceptsGap && (await countGaps(tx, fileId)) > 0) throw new AppError('STATEMENT_GAP')
    await markImported(tx, fileId, now)
    const needsSecond = await weighFile(tx, context, { ...file, inSatang })
    if (mapping && remember && read.headerHash)
      await saveMapping(tx, { receivingAccountId, headerHash: read.headerHash, mapping, savedBy: uid, savedAt: now })
    const after = { fileName, receivingAccountId, ...counts }
    await audit(tx, person, { action: 'statement.import', subject: `statementFile:${fileId}`, before: null, after })
    return { fileId, ...counts, needsSecond }
  }
  return runOnce(context.shop.db, mustBeOnce(context), now, take, () => prepareImport(context, fileId, mapping))
}

export const fileRoutes: Route[] = [
  route(contract.readStatementFile, ({ params }, context) => takeFile(context, params.receivingAccountId)),
  route(contract.previewStatementFile, ({ params, body }, context) =>
    previewFile(context, params.fileId, body.mapping),
  ),
  route(contract.importStatementFile, (input, context) => importFile(context, input)),
]
