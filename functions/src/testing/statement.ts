import type { LineState, LineTarget } from '@shop/shared/statement/statement.ts'
import { bangkokDay } from '@shop/shared/time.ts'
import { insertLines, type NewLine } from '../statement/import-store.ts'
import { fixture } from './fixture.ts'
import type { TestShop } from './shop.ts'

let lines = 0

/** A line of money in to the minute, of a key of its own. */
export function lineOf(line: Partial<NewLine> & { amountSatang: number }): NewLine {
  const at = line.at ?? null
  return {
    key: `test ${++lines}`,
    day: at ? bangkokDay(at) : '2026-11-20',
    at,
    precisionSeconds: at && 60,
    balanceSatang: null,
    detail: '',
    fromBank: null,
    fromAccount: null,
    channel: null,
    ...line,
  }
}

/** Puts lines on a receiving account, as an import does, without matching them. */
export const addLines = (
  { db, clock }: Pick<TestShop, 'db' | 'clock'>,
  lines: readonly NewLine[],
  receivingAccountId: number = fixture.accounts.promptPay,
): Promise<number> => insertLines(db, lines, { receivingAccountId, fileId: null, now: clock.now })

/** What became of each line, in the order they came. */
export const linesNow = ({ db }: Pick<TestShop, 'db'>) =>
  db.query<{ id: string; key: string; state: LineState; target: LineTarget['no'] | null; version: number }>({
    text: `SELECT l.id, l.key, l.state, coalesce(o.order_no, u.no) AS target, l.version FROM statement_line l
      LEFT JOIN orders o ON o.id = l.order_id LEFT JOIN top_up u ON u.id = l.top_up_id ORDER BY l.no`,
  })
