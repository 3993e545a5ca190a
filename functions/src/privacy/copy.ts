import { account, linkedIdentity, ownerNews, resellerKey, termsAcceptance } from '../account/tables.ts'
import { agentBank } from '../agent/tables.ts'
import { chatMessage } from '../chat/tables.ts'
import type { Sql } from '../database/database.ts'
import { under } from '../database/sql.ts'
import { mailMessage } from '../mail/tables.ts'
import { orderEvent, orders } from '../order/tables.ts'
import { resellerOrder } from '../reseller/tables.ts'
import { slipAsk, slipCheck } from '../slipcheck/tables.ts'
import { owedRefund } from '../statement/tables.ts'
import { worthSql } from '../transfer/order-money.ts'
import { slip } from '../upload/tables.ts'
import { credit, ledgerEntry, ledgerTransaction, topUp, wallet } from '../wallet/tables.ts'
import { webhookEndpoint } from '../webhook/tables.ts'
import { keysOf, type Whose } from './store.ts'
import { erasure } from './tables.ts'

const [person, link, bank] = [under(account), under(linkedIdentity), under(agentBank)]
const [accepted, ordered, sent] = [under(termsAcceptance), under(orders), under(slip)]
const [purse, owed, news, mail] = [under(wallet), under(credit), under(ownerNews), under(mailMessage)]
const [message, key, hook, request] = [under(chatMessage), under(resellerKey), under(webhookEndpoint), under(erasure)]
const [o, step, r] = [under(orders, 'o'), under(orderEvent, 'e'), under(owedRefund, 'r')]
const [c, k, ro] = [under(slipCheck, 'c'), under(slipAsk, 'k'), under(resellerOrder, 'r')]
const [w, cr, e, x] = [under(wallet, 'w'), under(credit, 'c'), under(ledgerEntry, 'e'), under(ledgerTransaction, 't')]
const t = under(topUp, 't')

/**
 * What a person gets of what the shop keeps of them, by the names in the file. Each is a query over $1 (uids), $2 (owner
 * keys) in an order without equals, because it is read page by page; notes of staff and other people's data are not among it.
 * What they return goes into the file as it is, under the columns' own names.
 */
const COPIED: Record<string, string> = {
  account: `SELECT ${person.uid}, ${person.username}, ${person.givenName}, ${person.familyName}, ${person.phone}, ${person.email},
    ${person.emailVerified}, ${person.status}, ${person.role}, ${person.providers}, ${person.createdAt}
    FROM ${person} WHERE ${person.uid} = ANY($1) ORDER BY ${person.uid}`,
  lineIdentity: `SELECT ${link.provider}, ${link.subject}, ${link.linkedAt} FROM ${link} WHERE ${link.uid} = ANY($1) ORDER BY ${link.provider}, ${link.subject}`,
  bankAccount: `SELECT ${bank.bankCode}, ${bank.bankAccount} FROM ${bank} WHERE ${bank.uid} = ANY($1) ORDER BY ${bank.uid}`,
  acceptedTerms: `SELECT ${accepted.version}, ${accepted.acceptedAt} FROM ${accepted} WHERE ${accepted.ownerKey} = ANY($2) ORDER BY ${accepted.acceptedAt}, ${accepted.version}`,
  orders: `SELECT ${ordered.orderNo}, ${ordered.status}, ${ordered.createdAt}, ${ordered.paidAt}, ${ordered.endedAt},
    ${ordered.snapshot}->>'gameName' AS game, ${ordered.snapshot}->>'packageName' AS package,
      ${ordered.quantity}, ${ordered.payment}, ${worthSql('orders')} AS amount_satang, ${ordered.creditSatang}, ${ordered.playerId}, ${ordered.playerName}, ${ordered.snapshot}->'fields' AS player_fields,
      ${ordered.proposedPlayer}, ${ordered.deliveryReference}, ${ordered.snapshot}->>'termsVersion' AS terms_version, ${ordered.slipId}
    FROM ${ordered} WHERE ${ordered.buyerKey} = ANY($2) ORDER BY ${ordered.createdAt}, ${ordered.id}`,
  orderSteps: `SELECT ${o.orderNo}, ${step.kind}, ${step.fromStatus}, ${step.toStatus}, ${step.at} FROM ${o} JOIN ${step} ON ${step.orderId} = ${o.id}
    WHERE ${o.buyerKey} = ANY($2) ORDER BY ${step.at}, ${o.id}, ${step.version}`,
  refunds: `SELECT ${o.orderNo}, ${r.amountSatang}, ${r.createdAt}, ${r.sentAt}, ${r.reference}, ${r.payee}, ${r.payeeReason}
    FROM ${o} JOIN ${r} ON ${r.orderId} = ${o.id}
    WHERE ${o.buyerKey} = ANY($2) AND ${r.fromCreditId} IS NULL AND ${r.undoneAt} IS NULL ORDER BY ${r.createdAt}, ${r.id}`,
  slips: `SELECT ${sent.id}, ${sent.createdAt}, ${sent.width}, ${sent.height}, ${sent.byteSize}, ${sent.sendingBank}, ${sent.bankReference}
    FROM ${sent} WHERE ${sent.uploaderKey} = ANY($2) ORDER BY ${sent.createdAt}, ${sent.id}`,
  slipChecks: `SELECT ${c.slipId}, ${c.createdAt}, ${c.state}, ${k.provider}, ${k.askedAt}, ${k.amountSatang}, ${k.transferredAt}, ${k.payerName}, ${k.payerMask}
    FROM ${c} LEFT JOIN ${k} ON ${k.checkId} = ${c.id} WHERE ${c.ownerKey} = ANY($2) ORDER BY ${c.createdAt}, ${c.id}, ${k.id}`,
  wallet: `SELECT ${purse.createdAt}, ${purse.balanceSatang} FROM ${purse} WHERE ${purse.uid} = ANY($1) ORDER BY ${purse.id}`,
  walletMoves: `SELECT ${x.kind}, ${e.at}, ${e.amountSatang} FROM ${w} JOIN ${e} ON ${e.account} = 'wallet:' || ${w.id}
    JOIN ${x} ON ${x.id} = ${e.transactionId} WHERE ${w.uid} = ANY($1) ORDER BY ${e.at}, ${x.id}, ${e.amountSatang}`,
  credit: `SELECT ${owed.createdAt}, ${owed.balanceSatang} FROM ${owed} WHERE ${owed.uid} = ANY($1) ORDER BY ${owed.id}`,
  creditMoves: `SELECT ${x.kind}, ${e.at}, ${e.amountSatang} FROM ${cr} JOIN ${e} ON ${e.account} = 'credit:' || ${cr.id}
    JOIN ${x} ON ${x.id} = ${e.transactionId} WHERE ${cr.uid} = ANY($1) ORDER BY ${e.at}, ${x.id}, ${e.amountSatang}`,
  creditWithdrawals: `SELECT ${r.amountSatang}, ${r.createdAt}, ${r.sentAt}, ${r.reference}, ${r.payee}
    FROM ${cr} JOIN ${r} ON ${r.fromCreditId} = ${cr.id} WHERE ${cr.uid} = ANY($1) AND ${r.undoneAt} IS NULL ORDER BY ${r.createdAt}, ${r.id}`,
  topUps: `SELECT ${t.no}, ${t.amountSatang}, ${t.payment}, ${t.status}, ${t.createdAt}, ${t.decidedAt}, ${t.slipId}
    FROM ${w} JOIN ${t} ON ${t.walletId} = ${w.id} WHERE ${w.uid} = ANY($1) ORDER BY ${t.createdAt}, ${t.id}`,
  news: `SELECT ${news.kind}, ${news.at}, ${news.facts}, ${news.email}, ${news.lineId} FROM ${news} WHERE ${news.uid} = ANY($1) ORDER BY ${news.at}, ${news.id}`,
  mails: `SELECT ${mail.recipient}, ${mail.subject}, ${mail.text}, ${mail.state}, ${mail.createdAt}, ${mail.settledAt} FROM ${mail}
      WHERE ${mail.uid} = ANY($1) ORDER BY ${mail.id}`,
  lineMessages: `SELECT ${message.kind}, ${message.messages}, ${message.state}, ${message.createdAt}, ${message.settledAt} FROM ${message}
    WHERE ${message.recipient} IN (SELECT ${link.subject} FROM ${link} WHERE ${link.uid} = ANY($1)
      UNION SELECT substr(uid, 6) FROM unnest($1::text[]) AS u(uid) WHERE uid LIKE 'line:%') ORDER BY ${message.id}`,
  apiKeys: `SELECT ${key.id}, ${key.name}, ${key.mode}, ${key.scopes}, ${key.addresses}, ${key.dailyLimitSatang}, ${key.createdAt}, ${key.endedAt} FROM ${key}
    WHERE ${key.uid} = ANY($1) ORDER BY ${key.createdAt}, ${key.id}`,
  apiReferences: `SELECT ${o.orderNo}, ${ro.ref}, ${ro.keyId} FROM ${ro} JOIN ${o} ON ${o.id} = ${ro.orderId}
    WHERE ${ro.uid} = ANY($1) ORDER BY ${ro.orderId}`,
  webhooks: `SELECT ${hook.url}, ${hook.mode}, ${hook.createdAt} FROM ${hook} WHERE ${hook.uid} = ANY($1) ORDER BY ${hook.createdAt}, ${hook.id}`,
  erasureRequests: `SELECT ${request.state}, ${request.askedAt}, ${request.approvedAt}, ${request.endedAt} FROM ${request}
    WHERE ${request.uids}[1] = ANY($1) ORDER BY ${request.id}`,
}

/** Rows of one kind that are in memory at once. */
const PAGE_ROWS = 5000

/** Writes everything that the shop keeps of a person as JSON, page after page, so that it never is in memory at once. */
export function copyOf(db: Sql, whose: Whose, now: Date): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const pieces = writeCopy(db, whose, now)
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}

async function* writeCopy(db: Sql, whose: Whose, now: Date): AsyncGenerator<string> {
  yield `{"writtenAt":${JSON.stringify(now.toISOString())}`
  for (const [name, query] of Object.entries(COPIED)) {
    yield `,\n${JSON.stringify(name)}:[`
    for (let read = 0, got = PAGE_ROWS; got === PAGE_ROWS; read += got) {
      const rows = await readRows(db, query, whose, read)
      got = rows.length
      if (got > 0) yield `${read > 0 ? ',' : ''}\n${rows.map(row => JSON.stringify(row)).join(',\n')}`
    }
    yield ']'
  }
  yield '}\n'
}

/** A query that has only one of the two values still has to say the other's type. */
function readRows(db: Sql, query: string, whose: Whose, from: number): Promise<Record<string, unknown>[]> {
  const text = `WITH asked AS (SELECT $1::text[] AS uids, $2::text[] AS keys)
    SELECT copied.* FROM (${query}) AS copied, asked LIMIT ${PAGE_ROWS} OFFSET $3`
  return db.query({ text, values: [whose.uids, keysOf(whose), from] })
}
