import type { LineOutcome } from './line-decision.ts'
import { LINE_STATE, type StatementLine } from './statement.ts'
import { type UndoFacts, undoBarrier } from './undo-barrier.ts'

/**
 * What taking a key's lines back does with one of them: it led to nothing and is voided, what it led to is undone first, or
 * that can't be undone and somebody has to settle it.
 */
export type TakeBackKind = 'void' | 'undo' | 'stuck'

/** @returns `why`: for people, of what is `stuck` */
export function takeBackOf(
  line: Pick<StatementLine, 'state' | 'hasPaid' | 'amountSatang'>,
  facts: UndoFacts,
): { kind: TakeBackKind; why: string | null } {
  if (!LINE_STATE[line.state].isBooked) return { kind: 'void', why: null }
  const why = facts.isTopUpOnWallet ? 'อนุมัติเติมเงินเข้ากระเป๋าไปแล้ว ต้องแก้รายการเติมเงินเอง' : undoBarrier(line, facts)
  return why === null ? { kind: 'undo', why } : { kind: 'stuck', why }
}

/** A line that nobody says anything about any more: nothing is matched to it, and no source's line is known by it. */
export function voidLine(
  line: StatementLine,
  { actorUid, reason, now }: { actorUid: string; reason: string; now: Date },
): Pick<LineOutcome, 'line' | 'event'> {
  return {
    line: { ...line, state: 'void', version: line.version + 1, target: null, walletId: null, hasPaid: false },
    event: { step: 'void', target: null, actorUid, reason, at: now },
  }
}
