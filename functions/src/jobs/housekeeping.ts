import { setTimeout as delay } from 'node:timers/promises'
import { addSeconds, bangkokDay, DAY_MS } from '@shop/shared/time.ts'
import { WORD_SECONDS } from '@shop/shared/value/value.ts'
import { DRAFT_SECONDS } from '@shop/shared/voucher/voucher.ts'
import type { PgTable } from 'drizzle-orm/pg-core'
import {
  ownerCode,
  ownerNews,
  signInAttempt,
  termsAcceptance,
  totpBrowser,
  totpSession,
  totpTry,
  usedIdToken,
} from '../account/tables.ts'
import { auditEntry } from '../audit/tables.ts'
import { PICTURE_FOLDER } from '../catalogue/pictures.ts'
import { banner, game, receivingAccount } from '../catalogue/tables.ts'
import { chatCode, chatMessage } from '../chat/tables.ts'
import { supplierProductChange } from '../cost/tables.ts'
import { listSql } from '../database/columns.ts'
import type { Sql } from '../database/database.ts'
import { as, notNull, pick, row, sql, type Under, under } from '../database/sql.ts'
import { idempotencyKey, rateLimit } from '../http/tables.ts'
import { mailMessage } from '../mail/tables.ts'
import { reservedAmount } from '../order/tables.ts'
import { KINDS_FOR_PEOPLE } from '../outbox/job-kind.ts'
import { outbox } from '../outbox/tables.ts'
import { playEntry, playOrder, resellerCall } from '../reseller/tables.ts'
import { lockCatalogue } from '../settings/catalogue-change.ts'
import { terms } from '../settings/tables.ts'
import type { Shop } from '../shop/shop.ts'
import { slipAsk, slipCheck } from '../slipcheck/tables.ts'
import { statementFile, statementLine } from '../statement/tables.ts'
import { supplierBalance, supplierCallback } from '../supplier/tables.ts'
import { dropUnusedBefore } from '../upload/unused.ts'
import { secondWord } from '../value/tables.ts'
import { voucherAddress, voucherDraft } from '../voucher/tables.ts'
import { webhookEndpoint, webhookMessage } from '../webhook/tables.ts'

const REPLY_DAYS = 7
const UNUSED_FILE_DAYS = 30
/** A slip is attached right after its upload. */
const UNUSED_SLIP_DAYS = 2
/** No session of the back office lasts longer than a day. */
const SESSION_DAYS = 1
/** An order stores the version of the terms it was placed under, so a guest's acceptances are of no use for longer. */
const GUEST_TERMS_DAYS = 30
/** A bank's file is only kept to look up where a line was read from; the lines themselves stay. */
const STATEMENT_FILE_DAYS = 30
const PAYER_YEARS = 5
/** So many old lines lose their payer in a night; the time in which they are found is longer than a year. */
const PAYER_BATCH = 20_000
const FILE_BATCH = 200
const DONE_JOB_DAYS = 7
const DEAD_JOB_DAYS = 90
const PROVIDER_REPLY_DAYS = 180
const ADDRESS_DAYS = 2
/** No supplier repeats a callback after this time. */
const SUPPLIER_CALLBACK_DAYS = 90
const SUPPLIER_BALANCE_DAYS = 90
const PRODUCT_CHANGE_DAYS = 180
/** Messages hold names and player ids; the order's own history keeps the fact that one was sent. */
const CHAT_MESSAGE_DAYS = 90
/** A settled question still holds the data that was sent with it. The audit log keeps who decided what. */
const SETTLED_WORD_DAYS = 90
const MAIL_DAYS = 90
const OWNER_NEWS_DAYS = 90
/** An address for opening codes elsewhere; by then they are long redeemed. */
const CODE_ADDRESS_DAYS = 90
const WEBHOOK_MESSAGE_DAYS = 30
const PLAY_ORDER_DAYS = 90
const MACHINE_CALL_DAYS = 7

type Parts = Pick<Shop, 'db' | 'files' | 'now'>

const daysAgo = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS)

/** Rows of one statement: few enough that nobody waits for its locks, and that it never meets the time limit. */
const ROW_BATCH = 2000

/**
 * Repeats a statement that changes or deletes at most `ROW_BATCH` rows until it finds no more, and returns how many they
 * were. It rests as long as it worked, so that people get on. `$1` and so on are the values.
 */
async function inBatches(db: Sql, change: (which: string) => string, where: string, values: unknown[]) {
  for (let all = 0; ; ) {
    const began = performance.now()
    const which = `ctid = ANY(ARRAY(SELECT ctid ${where} LIMIT ${ROW_BATCH} FOR UPDATE SKIP LOCKED))`
    const text = sql`WITH gone AS (${change(which)} RETURNING 1) SELECT ${row({ n: as.int('count(*)') })} FROM gone`
    const [gone] = await db.query({ text, values })
    all += gone!.n
    if (gone!.n < ROW_BATCH) return all
    await delay(performance.now() - began)
  }
}

const [word, moved, file] = [under(secondWord), under(playEntry, 'e'), under(statementFile)]

type Condition<Table extends PgTable> = (t: Under<Table>) => string

/** Deletes rows of a table in batches. The condition needs an index where the table can be long. */
function drop<Table extends PgTable>(db: Sql, table: Table, condition: Condition<Table>, ...values: unknown[]) {
  const t = under(table)
  return inBatches(db, which => `DELETE FROM ${t} WHERE ${which}`, `FROM ${t} WHERE ${condition(t)}`, values)
}

/** Empties a column of rows in batches. The condition must not hold for an emptied row. */
function empty<Table extends PgTable>(
  db: Sql,
  table: Table,
  field: keyof Under<Table>,
  condition: Condition<Table>,
  ...values: unknown[]
) {
  const t = under(table)
  const where = `FROM ${t} WHERE ${t[field]} IS NOT NULL AND ${condition(t)}`
  return inBatches(db, which => `UPDATE ${t} SET ${t[field]} = NULL WHERE ${which}`, where, values)
}

/**
 * Tables and kinds of files that would grow for ever. Each entry deletes what is no longer of use and returns how much
 * it was.
 */
const SWEEPS = {
  idempotency_key: ({ db }, now) => drop(db, idempotencyKey, t => `${t.createdAt} < $1`, daysAgo(now, REPLY_DAYS)),
  slip: sweepSlips,
  picture: sweepPictures,
  statement_file: sweepStatementFiles,
  used_id_token: ({ db }, now) => drop(db, usedIdToken, t => `${t.expiresAt} <= $1`, now),
  sign_in_attempt: ({ db }, now) => drop(db, signInAttempt, t => `${t.expiresAt} <= $1`, now),
  // Of each account there is one code at most, and of the second factors there are few rows for each member of the staff.
  owner_code: ({ db }, now) => drop(db, ownerCode, t => `${t.sentAt} < $1`, daysAgo(now, SESSION_DAYS)),
  totp_session: ({ db }, now) => drop(db, totpSession, t => `${t.signedInAt} < $1`, daysAgo(now, SESSION_DAYS)),
  totp_browser: ({ db }, now) => drop(db, totpBrowser, t => `${t.knownUntil} <= $1`, now),
  totp_try: ({ db }, now) => drop(db, totpTry, t => `${t.triedAt} < $1`, daysAgo(now, SESSION_DAYS)),
  // The rate limiter uses the process's own clock. An index would be written anew with every count, and nearly all rows
  // that are a day old are over.
  rate_limit: ({ db }) => drop(db, rateLimit, t => `${t.expire} < $1`, Date.now()),
  // Payments do not depend on this clean-up: an amount whose time is over is free already.
  reserved_amount: ({ db }, now) => drop(db, reservedAmount, t => `${t.reusableAt} <= $1`, now),
  terms_acceptance: sweepAcceptances,
  async outbox({ db }, now) {
    const done = await drop(db, outbox, t => `${t.state} = 'done' AND ${t.settledAt} < $1`, daysAgo(now, DONE_JOB_DAYS))
    // What waits for a person stays until somebody has dealt with it.
    const isOver = (t: Under<typeof outbox>) =>
      `(${t.state} = 'closed' OR (${t.state} = 'dead' AND ${t.kind} NOT IN (${listSql(KINDS_FOR_PEOPLE)})))`
    return done + (await drop(db, outbox, t => `${isOver(t)} AND ${t.settledAt} < $1`, daysAgo(now, DEAD_JOB_DAYS)))
  },
  // Addresses are only used to count the checks of one day.
  slip_check: ({ db }, now) =>
    empty(db, slipCheck, 'addressKey', t => `${t.createdAt} < $1`, daysAgo(now, ADDRESS_DAYS)),
  // The provider's answer holds a payer's data. The facts behind the verdict stay.
  slip_ask: ({ db }, now) => empty(db, slipAsk, 'raw', t => `${t.askedAt} < $1`, daysAgo(now, PROVIDER_REPLY_DAYS)),
  // Who paid is the bank's own record, which accounts must show for five years after the end of their year.
  statement_line: sweepPayers,
  supplier_callback: ({ db }, now) =>
    drop(db, supplierCallback, t => `${t.receivedAt} < $1`, daysAgo(now, SUPPLIER_CALLBACK_DAYS)),
  // There is one row for each few minutes, whatever is sold.
  supplier_balance: ({ db }, now) =>
    drop(db, supplierBalance, t => `${t.at} < $1`, daysAgo(now, SUPPLIER_BALANCE_DAYS)),
  supplier_product_change: ({ db }, now) =>
    drop(db, supplierProductChange, t => `${t.at} < $1`, daysAgo(now, PRODUCT_CHANGE_DAYS)),
  chat_message: ({ db }, now) => drop(db, chatMessage, t => `${t.settledAt} < $1`, daysAgo(now, CHAT_MESSAGE_DAYS)),
  async second_word({ db }, now) {
    await db.query({
      text: sql`UPDATE ${word} SET ${word.state} = 'expired', ${word.decidedAt} = $1 WHERE ${word.state} = 'waiting' AND ${word.askedAt} <= $2`,
      values: [now, addSeconds(now, -WORD_SECONDS)],
    })
    return drop(db, secondWord, t => `${t.state} <> 'waiting' AND ${t.askedAt} < $1`, daysAgo(now, SETTLED_WORD_DAYS))
  },
  voucher_draft: ({ db }, now) => drop(db, voucherDraft, t => `${t.madeAt} < $1`, addSeconds(now, -DRAFT_SECONDS)),
  mail_message: ({ db }, now) => drop(db, mailMessage, t => `${t.settledAt} < $1`, daysAgo(now, MAIL_DAYS)),
  owner_news: ({ db }, now) => drop(db, ownerNews, t => `${t.at} < $1`, daysAgo(now, OWNER_NEWS_DAYS)),
  voucher_address: ({ db }, now) => drop(db, voucherAddress, t => `${t.givenAt} < $1`, daysAgo(now, CODE_ADDRESS_DAYS)),
  webhook_endpoint: ({ db }, now) => empty(db, webhookEndpoint, 'oldSecret', t => `${t.oldSecretUntil} <= $1`, now),
  webhook_message: ({ db }, now) =>
    drop(db, webhookMessage, t => `${t.settledAt} < $1`, daysAgo(now, WEBHOOK_MESSAGE_DAYS)),
  async play_order({ db }, now) {
    const old = daysAgo(now, PLAY_ORDER_DAYS)
    return (
      (await drop(db, playEntry, t => `${t.at} < $1`, old)) +
      (await drop(
        db,
        playOrder,
        t => `${t.createdAt} < $1 AND NOT EXISTS (SELECT FROM ${moved} WHERE ${moved.orderId} = ${t}.id)`,
        old,
      ))
    )
  },
  reseller_call: ({ db }, now) => drop(db, resellerCall, t => `${t.at} < $1`, daysAgo(now, MACHINE_CALL_DAYS)),
  chat_code: ({ db }, now) => drop(db, chatCode, t => `${t.expiresAt} <= $1`, now),
} satisfies Record<string, (shop: Parts, now: Date) => Promise<number>>

/** The number of deleted rows or files of each kind. */
export type SweepReport = Record<keyof typeof SWEEPS, number>

/**
 * The daily clean-up, which is safe to run twice at once. Trouble with one table does not keep the others from being
 * swept.
 */
export async function sweep(shop: Parts): Promise<SweepReport> {
  const now = shop.now()
  const failures: unknown[] = []
  const counts: [string, number][] = []
  for (const [table, run] of Object.entries<(shop: Parts, now: Date) => Promise<number>>(SWEEPS)) {
    try {
      counts.push([table, await run(shop, now)])
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `clean-up after ${JSON.stringify(counts)}`)
  return Object.fromEntries(counts) as SweepReport
}

/** Deletes slips that no order, top-up or check refers to, with their pictures. */
async function sweepSlips({ db, files }: Parts, now: Date): Promise<number> {
  for (let swept = 0; ; ) {
    const gone = await dropUnusedBefore(db, files, daysAgo(now, UNUSED_SLIP_DAYS), FILE_BATCH)
    swept += gone
    if (gone < FILE_BATCH) return swept
  }
}

/** Deletes files of statements. The row of an imported file stays, because it tells where its lines come from. */
async function sweepStatementFiles({ db, files }: Parts, now: Date): Promise<number> {
  for (let swept = 0; ; ) {
    const old = await db.query({
      text: sql`SELECT ${row({ id: file.id, fileKey: notNull(file.fileKey) })} FROM ${file} WHERE ${file.fileKey} IS NOT NULL AND ${file.createdAt} < $1 LIMIT $2`,
      values: [daysAgo(now, STATEMENT_FILE_DAYS), FILE_BATCH],
    })
    // Files are deleted before the rows, because only the rows tell which files exist.
    for (const { fileKey } of old) await files.remove(fileKey)
    await db.query({
      text: sql`WITH kept AS (UPDATE ${file} SET ${file.fileKey} = NULL WHERE ${file.id} = ANY($1) AND ${file.importedAt} IS NOT NULL)
        DELETE FROM ${file} WHERE ${file.id} = ANY($1) AND ${file.importedAt} IS NULL`,
      values: [old.map(({ id }) => id)],
    })
    swept += old.length
    if (old.length < FILE_BATCH) return swept
  }
}

/**
 * Deletes acceptances of versions that never were, those under an address, and those of guests. The versions are read one
 * after the other from the index's distinct entries, however many people accepted each.
 */
async function sweepAcceptances({ db }: Parts, now: Date): Promise<number> {
  const [first, a, t] = [under(termsAcceptance), under(termsAcceptance, 'a'), under(terms, 't')]
  const never = await db.query({
    text: sql`WITH RECURSIVE v (version) AS (
        (SELECT ${first.version} FROM ${first} ORDER BY ${first.version} LIMIT 1)
        UNION ALL SELECT (SELECT ${a.version} FROM ${a} WHERE ${a.version} > v.version ORDER BY ${a.version} LIMIT 1)
        FROM v WHERE v.version IS NOT NULL
      ) SELECT ${row({ version: as.text('v.version') })} FROM v WHERE v.version IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM ${t} WHERE ${t.version} = v.version)`,
  })
  let swept = 0
  for (const { version } of never) swept += await drop(db, termsAcceptance, t => `${t.version} = $1`, version)
  const isOfGuest = (t: Under<typeof termsAcceptance>) => `${t.ownerKey} NOT LIKE 'u:%' AND ${t.acceptedAt} < $1`
  swept += await drop(db, termsAcceptance, isOfGuest, daysAgo(now, GUEST_TERMS_DAYS))
  return swept + (await drop(db, termsAcceptance, t => `${t.ownerKey} LIKE 'a:%' AND ${t.ownerKey} NOT LIKE 'u:%'`))
}

const [line, l, a] = [under(statementLine), under(statementLine, 'l'), under(receivingAccount, 'a')]

/** Empties what old lines of statements say of payers, a batch after the other up to so many in a night. */
async function sweepPayers({ db }: Parts, now: Date): Promise<number> {
  const before = `${Number(bangkokDay(now).slice(0, 4)) - PAYER_YEARS}-01-01`
  for (let swept = 0; ; ) {
    const emptied = await db.query({
      text: sql`UPDATE ${line} SET ${line.detail} = '', ${line.fromBank} = NULL, ${line.fromAccount} = NULL, ${line.payerHash} = NULL
        WHERE ${line.id} IN (SELECT ${l.id} FROM ${a} CROSS JOIN LATERAL (SELECT ${line.id}, ${line.detail}, ${line.fromAccount} FROM ${line}
          WHERE ${line.receivingAccountId} = ${a.id} AND ${line.day} < $1::date AND ${line.day} >= $1::date - 400) l
        WHERE ${l.detail} <> '' OR ${l.fromAccount} IS NOT NULL LIMIT ${ROW_BATCH}) RETURNING ${row(pick(line, 'id'))}`,
      values: [before],
    })
    swept += emptied.length
    if (emptied.length < ROW_BATCH || swept >= PAYER_BATCH) return swept
  }
}

/** While so many files are deleted, one after the other, nobody saves the catalogue. */
const PICTURE_BATCH = 10

/**
 * Deletes pictures that were uploaded and never saved. A picture that was ever saved stays, because orders show it and
 * a change may be undone.
 */
async function sweepPictures({ db, files }: Parts, now: Date): Promise<number> {
  const stored = await files.list(`public/${PICTURE_FOLDER}`)
  const old = stored.filter(({ writtenAt }) => writtenAt < daysAgo(now, UNUSED_FILE_DAYS)).map(({ key }) => key)
  const unused = old.length > 0 ? await findUnsaved(db, old) : []
  let swept = 0
  for (let from = 0; from < unused.length; from += PICTURE_BATCH) {
    const batch = unused.slice(from, from + PICTURE_BATCH)
    swept += await db.transaction(async tx => {
      // Nobody saves a picture while it is decided that it is unused, and deleted. Who did so before is looked for again.
      await lockCatalogue(tx)
      const still = await findUnsaved(tx, batch)
      for (const key of still) await files.remove(key)
      return still.length
    })
  }
  return swept
}

async function findUnsaved(db: Sql, keys: readonly string[]): Promise<string[]> {
  const [g, shown, e] = [under(game), under(banner), under(auditEntry, 'e')]
  const unsaved = await db.query({
    text: sql`SELECT ${row({ key: as.text('u.key') })} FROM unnest($1::text[]) AS u(key) WHERE '/files/' || substr(u.key, length('public/') + 1) NOT IN (
      SELECT ${g.picture} FROM ${g} UNION SELECT ${g.playerHintPicture} FROM ${g} UNION SELECT ${shown.picture} FROM ${shown}
      UNION SELECT named.picture FROM ${e}
        CROSS JOIN LATERAL (VALUES (${e.before}->>'picture'), (${e.before}->>'playerHintPicture'),
          (${e.after}->>'picture'), (${e.after}->>'playerHintPicture')) AS named(picture)
        WHERE (${e.subject} LIKE 'game:%' OR ${e.subject} LIKE 'banner:%') AND named.picture IS NOT NULL)`,
    values: [keys],
  })
  return unsaved.map(({ key }) => key)
}

/** How many days what the daily clean-up takes is kept, for the table of what is kept of persons. */
export const KEPT_DAYS = {
  reply: REPLY_DAYS,
  unusedSlip: UNUSED_SLIP_DAYS,
  session: SESSION_DAYS,
  guestTerms: GUEST_TERMS_DAYS,
  statementFile: STATEMENT_FILE_DAYS,
  doneJob: DONE_JOB_DAYS,
  deadJob: DEAD_JOB_DAYS,
  providerReply: PROVIDER_REPLY_DAYS,
  address: ADDRESS_DAYS,
  supplierCallback: SUPPLIER_CALLBACK_DAYS,
  supplierBalance: SUPPLIER_BALANCE_DAYS,
  productChange: PRODUCT_CHANGE_DAYS,
  chatMessage: CHAT_MESSAGE_DAYS,
  settledWord: SETTLED_WORD_DAYS,
  mail: MAIL_DAYS,
  ownerNews: OWNER_NEWS_DAYS,
  codeAddress: CODE_ADDRESS_DAYS,
  webhookMessage: WEBHOOK_MESSAGE_DAYS,
  playOrder: PLAY_ORDER_DAYS,
  machineCall: MACHINE_CALL_DAYS,
} as const
