import type { LineOutcome } from './line-decision.ts'
import { LINE_STATE, type StatementLine } from './statement.ts'
import { type UndoFacts, undoBarrier } from './undo-barrier.ts'

/**
 * What happens to a line whose key's lines are taken back. `void`: it had no effect and is voided. `undo`: its effect is
 * undone first. `stuck`: its effect can't be undone, so somebody must settle it.
 */
export type TakeBackKind = 'void' | 'undo' | 'stuck'

/** Returns what happens to a line, and for a stuck one `why`, in words for staff. */
export function takeBackOf(
  line: Pick<StatementLine, 'state' | 'hasPaid' | 'amountSatang'>,
  facts: UndoFacts,
): { kind: TakeBackKind; why: string | null } {
  if (!LINE_STATE[line.state].isBooked) return { kind: 'void', why: null }
  const why = facts.isTopUpOnWallet ? 'อนุมัติเติมเงินเข้ากระเป๋าไปแล้ว ต้องแก้รายการเติมเงินเอง' : undoBarrier(line, facts)
  return why === null ? { kind: 'undo', why } : { kind: 'stuck', why }
}

/** Voids a line: nothing is matched to it any more, and it no longer counts as known when a source reports it again. */
export function voidLine(
  line: StatementLine,
  { actorUid, reason, now }: { actorUid: string; reason: string; now: Date },
): Pick<LineOutcome, 'line' | 'event'> {
  return {
    line: { ...line, state: 'void', version: line.version + 1, target: null, walletId: null, hasPaid: false },
    event: { step: 'void', target: null, actorUid, reason, at: now },
  }
}
