import type { TopUpForStaff } from '@shop/shared/wallet/endpoints.ts'
import type { TopUp } from '@shop/shared/wallet/top-up.ts'
import { getTableColumns } from 'drizzle-orm'
import type { Sql } from '../database/database.ts'
import { fullName, personName, selectList } from '../database/listing.ts'
import { topUp } from './tables.ts'

const COLUMNS = `${selectList(getTableColumns(topUp), 'u')}, w.uid AS "ownerUid"`

/** False when the number is taken: another one has to be drawn. */
export async function insertTopUp(tx: Sql, topUp: TopUp): Promise<boolean> {
  const { id, no, walletId, amountSatang, status, version, slipId, receivingAccountId, enteredBy, createdAt } = topUp
  const made = await tx.query({
    text: `INSERT INTO top_up (id, no, wallet_id, amount_satang, status, version, slip_id, receiving_account_id, entered_by, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      ON CONFLICT ON CONSTRAINT top_up_no DO NOTHING RETURNING id`,
    values: [id, no, walletId, amountSatang, status, version, slipId, receivingAccountId, enteredBy, createdAt],
  })
  return made.length === 1
}

/** A top-up locked for a change in this transaction. */
export async function lockTopUp(tx: Sql, id: string): Promise<TopUp | null> {
  const [row] = await tx.query<TopUp>({
    text: `SELECT ${COLUMNS} FROM top_up u JOIN wallet w ON w.id = u.wallet_id WHERE u.id = $1 FOR UPDATE OF u`,
    values: [id],
  })
  return row ?? null
}

/** The statement line that shows the money of a top-up, and on which account; null while none is matched to it. */
export async function findStatementLine(
  db: Sql,
  topUpId: string,
): Promise<{ id: string; receivingAccountId: number; givenBy: string | null } | null> {
  const [line] = await db.query<{ id: string; receivingAccountId: number; givenBy: string | null }>({
    text: `SELECT l.id, l.receiving_account_id AS "receivingAccountId", f.given_by AS "givenBy"
      FROM statement_line l LEFT JOIN statement_file f ON f.id = l.file_id WHERE l.top_up_id = $1`,
    values: [topUpId],
  })
  return line ?? null
}

/** Stores a decision about a top-up that `lockTopUp` locked. */
export async function saveTopUp(tx: Sql, topUp: TopUp): Promise<void> {
  await tx.query({
    text: `UPDATE top_up SET amount_satang = $2, status = $3, version = $4, slip_id = $5, receiving_account_id = $6,
        first_approved_by = $7, decided_by = $8, decided_at = $9, reason = $10, corrected_at = $11
      WHERE id = $1`,
    values: [
      ...[topUp.id, topUp.amountSatang, topUp.status, topUp.version, topUp.slipId, topUp.receivingAccountId],
      ...[topUp.firstApprovedBy, topUp.decidedBy, topUp.decidedAt, topUp.reason, topUp.correctedAt],
    ],
  })
}

/** A top-up with all that its approval is decided by. */
export interface TopUpRecord {
  topUp: TopUp
  agentName: string
  fullName: string
  phone: string | null
  email: string | null
  bankCode: string | null
  bankAccount: string | null
  slipReference: { sendingBank: string; reference: string } | null
  statementLine: TopUpForStaff['statementLine']
  enteredByName: string
  firstApprovedByName: string | null
  decidedByName: string | null
}

export async function findTopUp(db: Sql, id: string): Promise<TopUpRecord | null> {
  const [row] = await db.query<TopUp & Omit<TopUpRecord, 'topUp'>>({
    text: `SELECT ${COLUMNS}, a.username AS "agentName", ${fullName('a')} AS "fullName", a.phone, a.email,
        b.bank_code AS "bankCode", b.bank_account AS "bankAccount",
        CASE WHEN s.bank_reference IS NULL THEN NULL
          ELSE json_build_object('sendingBank', s.sending_bank, 'reference', s.bank_reference) END AS "slipReference",
        CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'no', l.no, 'day', l.day, 'at', l.at,
          'receivingAccountId', l.receiving_account_id, 'fromBank', l.from_bank, 'fromAccount', l.from_account) END AS "statementLine",
        ${personName('e')} AS "enteredByName", ${personName('f')} AS "firstApprovedByName", ${personName('d')} AS "decidedByName"
      FROM top_up u JOIN wallet w ON w.id = u.wallet_id JOIN account a ON a.uid = w.uid
      JOIN account e ON e.uid = u.entered_by
      LEFT JOIN agent_bank b ON b.uid = a.uid LEFT JOIN slip s ON s.id = u.slip_id
      LEFT JOIN statement_line l ON l.top_up_id = u.id
      LEFT JOIN account f ON f.uid = u.first_approved_by LEFT JOIN account d ON d.uid = u.decided_by
      WHERE u.id = $1`,
    values: [id],
  })
  if (!row) return null
  const { agentName, phone, email, bankCode, bankAccount, slipReference, statementLine: line, ...rest } = row
  const { fullName: name, enteredByName, firstApprovedByName, decidedByName, ...topUp } = rest
  const people = { agentName, fullName: name, phone, email, bankCode, bankAccount }
  const statementLine = line && { ...line, at: line.at && new Date(line.at).toISOString() }
  return { topUp, ...people, slipReference, statementLine, enteredByName, firstApprovedByName, decidedByName }
}
