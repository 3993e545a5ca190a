import { openDatabase } from 'functions/src/database/database.ts'
import { dueSql } from 'functions/src/transfer/order-money.ts'
import type { Counter } from './page.ts'
import type { Account } from './register.ts'

/** Reads what can be paid from the demo shop's database. */
export function openShopCounter(databaseUrl: string): Counter & { close(): Promise<void> } {
  const db = openDatabase(databaseUrl, { connections: 2 })
  return {
    listAccounts: () =>
      db.query<Account & { id: number }>({
        text: `SELECT id, bank_code AS "bankCode", account_no AS "accountNo", account_name AS name,
            prompt_pay_id AS "promptPayId"
          FROM receiving_account WHERE is_active ORDER BY position`,
      }),
    listWaiting: () =>
      db.query({
        text: `SELECT order_no AS no, ${dueSql('orders')} AS "amountSatang", receiving_account_id AS "accountId"
          FROM orders WHERE status = 'waiting_payment' AND payment = 'bank' AND transfer_reported_at IS NULL
          ORDER BY created_at DESC LIMIT 20`,
      }),
    close: () => db.close(),
  }
}
