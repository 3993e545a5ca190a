import { AppError, messageOf } from '@shop/shared/errors.ts'
import {
  decideStatementLine,
  getStatementLine,
  type LineCandidate,
  type LineDecision,
  type LineDetails,
  type StatementLineView,
} from '@shop/shared/statement/endpoints.ts'
import type { LineStep } from '@shop/shared/statement/statement.ts'
import { createRequestKeys } from '@shop/web/request-keys.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { type ReactNode, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { type Seen, seenAfter } from '../ui/seen-refusal.ts'
import { isSentOn } from '../ui/sent-on.ts'
import { type Asked, DecisionDialog, type Said } from './decision-dialog.tsx'
import { outcomeOf } from './line-texts.ts'
import { useReloadLines } from './use-reload-lines.ts'

/** Refusals that mean that the screen is old. */
const OUTDATED = [
  'CONFLICT',
  'LINE_STEP_NOT_ALLOWED',
  'LINE_TARGET_OVER',
  'LINE_TARGET_TAKEN',
  'ORDER_STATUS_NOT_ALLOWED',
  'NOT_FOUND',
]

const done: Record<LineStep, string> = {
  match: 'จับคู่แล้ว',
  bookPayout: 'บันทึกยอดโอนจากผู้ให้บริการแล้ว',
  creditWallet: 'เพิ่มเข้ากระเป๋าเงินแล้ว',
  oweRefund: 'บันทึกเป็นเงินรอคืนแล้ว',
  ignore: 'บันทึกว่าไม่เกี่ยวข้องแล้ว',
  undo: 'ยกเลิกแล้ว',
}

/** Refusals of a plain match for something that is missing; the dialog then asks for it. */
const ASKING = ['REASON_REQUIRED', 'OVERPAID_CHOICE_REQUIRED', 'SAME_AMOUNT_ORDER', 'TRANSFER_MAY_BE_USED']

/** Whether a match needs neither a reason nor a choice. */
const isPlain = ({ needs, differenceSatang }: LineCandidate) => needs === 'nothing' && differenceSatang === 0

/** Says how somebody else changed a line; null when it is unchanged. */
function changeOf(seen: StatementLineView, now: StatementLineView): string | null {
  if (seen.version === now.version) return null
  return `ที่คุณเห็น: ${outcomeOf(seen)} · ตอนนี้: ${outcomeOf(now)}${now.reason ? ` (${now.reason})` : ''}`
}

/**
 * Decides what a line is money for: a plain match at once, the rest after asking. When somebody else was faster, both
 * versions are told and what was typed stays. The caller renders `dialog`, and `notice` for failures without a dialog.
 */
export function useLineDecision(details: LineDetails | undefined, onDone: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const { message } = App.useApp()
  const [keys] = useState(createRequestKeys)
  /** The decision that the dialog asks about, and the line as the person saw it. */
  const [asked, setAsked] = useState<{ what: Asked; seen: LineDetails } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  /** What the refusals of this decision have named so far. */
  const [named, setNamed] = useState<Seen>({})

  const reloadLines = useReloadLines()
  const mutation = useMutation({
    mutationFn: ({ said, seen }: { said: Said; seen: LineDetails; candidate?: LineCandidate }) => {
      const body = { ...said, version: seen.line.version } as LineDecision
      const params = { id: seen.line.id }
      return client.call(decideStatementLine, { params, body, idempotencyKey: keys.getKey({ params, body }) })
    },
    onMutate: () => setFailure(null),
    onSuccess: async (saved, { said }) => {
      keys.endRequest()
      queries.setQueryData(client.query(getStatementLine, { params: { id: saved.line.id } }).queryKey, saved)
      setAsked(null)
      message.success(done[said.step])
      await reloadLines()
      onDone()
    },
    onError: async (error, { seen, candidate }) => {
      if (isSentOn(error)) return setAsked(null)
      setFailure(messageOf(error))
      setNamed(seenAfter(error, named))
      if (!(error instanceof AppError)) return
      if (ASKING.includes(error.code) && candidate) setAsked({ what: { step: 'match', candidate }, seen })
      if (!OUTDATED.includes(error.code)) return
      const query = client.query(getStatementLine, { params: { id: seen.line.id } })
      const now = await queries.fetchQuery({ ...query, staleTime: 0 }).catch(() => null)
      if (!now) return
      const change = changeOf(seen.line, now.line)
      if (change) setFailure(`มีผู้อื่นเปลี่ยนรายการนี้ไปก่อน ${change}`)
      setAsked(open => open && { what: open.what, seen: now })
      await reloadLines()
    },
  })
  const ask = (what: Asked, mustConfirm = false) => {
    if (!details) return
    setFailure(null)
    setNamed({})
    if (what.step === 'match' && isPlain(what.candidate) && !mustConfirm) {
      const { kind, id } = what.candidate.target
      const said = { step: 'match' as const, target: { kind, id } }
      mutation.mutate({ said, seen: details, candidate: what.candidate })
    } else setAsked({ what, seen: details })
  }
  const withSeen = (said: Said): Said => {
    if (said.step === 'match' || said.step === 'bookPayout') return { ...said, ...named }
    return said.step === 'creditWallet' || said.step === 'oweRefund' ? { ...said, usedByNo: named.usedByNo } : said
  }
  const dialog: ReactNode = asked && (
    <DecisionDialog
      asked={asked.what}
      line={asked.seen.line}
      isAllowed={asked.seen.steps.includes(asked.what.step)}
      isBusy={mutation.isPending}
      failure={failure}
      onSay={said => mutation.mutate({ said: withSeen(said), seen: asked.seen })}
      candidates={asked.seen.candidates}
      onClose={() => {
        setAsked(null)
        setFailure(null)
      }}
    />
  )
  return {
    ask,
    isBusy: mutation.isPending,
    /** The id of the order or top-up that is being matched. */
    busyTarget:
      mutation.isPending && mutation.variables.said.step === 'match' ? mutation.variables.said.target.id : null,
    notice: asked ? null : failure,
    dialog,
  }
}
