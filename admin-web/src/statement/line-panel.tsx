import { formatBaht } from '@shop/shared/money.ts'
import { can } from '@shop/shared/permissions.ts'
import { gatewayLabel } from '@shop/shared/provider-names.ts'
import { decideStatementLine, getStatementLine, type LineDetails } from '@shop/shared/statement/endpoints.ts'
import { writeSource } from '@shop/shared/statement/line-source.ts'
import { LINE_STATE, type LineEventStep } from '@shop/shared/statement/statement.ts'
import { formatDateTimeSeconds } from '@shop/web/dates.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useClient, useMe } from '../account/session.tsx'
import { TargetLink } from '../account/staff-link.tsx'
import { CloseButton } from '../ui/close-button.tsx'
import { Facts } from '../ui/facts.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { useAddressWith } from '../ui/url-filters.ts'
import { nameOfAccount, useStatementAccounts } from './account-select.tsx'
import { Candidate, Payer } from './candidates.tsx'
import type { Asked } from './decision-dialog.tsx'
import { DisputeNote } from './dispute-note.tsx'
import { FindTargetDialog } from './find-target-dialog.tsx'
import { GapNote } from './gap-note.tsx'
import { payerOf, sourceName, timeOf, undoName } from './line-texts.ts'
import { useLineDecision } from './use-line-decision.tsx'

const POLL_MS = 15_000
export const FIND_BUTTON_ID = 'statement-find'

/** Reads a line again and again. */
export function useLine(id: string | null) {
  const client = useClient()
  return useQuery({
    ...client.query(getStatementLine, { params: { id: id ?? '-' } }),
    enabled: id !== null,
    // After a failed first load, only the person's retry asks again.
    refetchInterval: query => (query.state.data ? POLL_MS : false),
  })
}

/** One line beside the list: what it may have paid, or what was decided about it. */
export function LinePanel({ id, onClose, onDecided }: { id: string; onClose: () => void; onDecided: () => void }) {
  const query = useLine(id)
  const { ask, isBusy, busyTarget, notice, dialog } = useLineDecision(query.data, onDecided)
  const onAsk = can(useMe().role, decideStatementLine.allow) ? ask : null
  return (
    <aside className="card statement-line" aria-label="รายการที่เลือก">
      <header>
        <span className="note muted grow">รายการที่เลือก{query.data && ` · เลขที่ ${query.data.line.no}`}</span>
        <CloseButton label="ปิดรายการที่เลือก" onClick={onClose} />
      </header>
      <Loaded query={query} rows={8}>
        {data => (
          <>
            <Money details={data} />
            {data.line.disputedAt && <DisputeNote details={data} />}
            {data.gapNote && <GapNote key={data.line.version} details={data} note={data.gapNote} />}
            {notice && (
              <Alert type="error" showIcon role="alert" title="บันทึกไม่สำเร็จ ยังไม่มีอะไรเปลี่ยน" description={notice} />
            )}
            {data.steps.includes('match') && (
              <Suggestions details={data} isBusy={isBusy} busyTarget={busyTarget} onAsk={onAsk} />
            )}
            {!LINE_STATE[data.line.state].isOpen && <Outcome details={data} isBusy={isBusy} onAsk={onAsk} />}
            {onAsk && <OtherSteps details={data} isBusy={isBusy} onAsk={onAsk} />}
            <History details={data} />
          </>
        )}
      </Loaded>
      {dialog}
    </aside>
  )
}

interface PartProps {
  details: LineDetails
  isBusy: boolean
  /** Null when the caller may only look. */
  onAsk: ((asked: Asked, mustConfirm?: boolean) => void) | null
}

function Money({ details: { line } }: { details: LineDetails }) {
  const accounts = useStatementAccounts()
  const account = accounts.data?.find(each => each.id === line.receivingAccountId)
  const { title, about } = payerOf(line)
  const way = line.amountSatang < 0 ? 'ออกจาก' : 'เข้า'
  return (
    <section className="card-part">
      <div className="row" style={{ alignItems: 'baseline', flexWrap: 'wrap' }}>
        <h2 className="big-amount number grow">฿{formatBaht(line.amountSatang)}</h2>
        <span className="small muted number">{timeOf(line)}</span>
      </div>
      <p className="small muted breakable">
        {[title, about, account && `${way} ${nameOfAccount(account)}`].filter(Boolean).join(' · ')}
      </p>
      <p className="note muted breakable">
        <SourceLink line={line} />
      </p>
    </section>
  )
}

/** Where the line came from, as a link to all lines from there. */
function SourceLink({ line: { source } }: Pick<LineDetails, 'line'>) {
  const addressWith = useAddressWith()
  const name = sourceName(source)
  if (source.id === null) return name
  return <Link to={addressWith({ source: writeSource(source), noSaleOrder: 'false', page: null })}>{name}</Link>
}

/** Whether no order or top-up stands out, so that the money may have come from a gateway. */
const isUnexplained = ({ candidates }: LineDetails): boolean =>
  !candidates.some(({ isBest, goesBackFor }) => isBest || goesBackFor !== null)

function Suggestions({ details, isBusy, busyTarget, onAsk }: PartProps & { busyTarget: string | null }) {
  const [isFinding, setIsFinding] = useState(false)
  const { line, candidates, payers } = details
  const payersThat = (are: 'named' | 'possible') =>
    payers
      .filter(({ isNamed }) => (are === 'named' ? isNamed : !isNamed && isUnexplained(details)))
      .map(({ gateway, isNamed }) => (
        <Payer
          key={gateway}
          gateway={gateway}
          isNamed={isNamed}
          isDisabled={isBusy}
          onChoose={onAsk && (() => onAsk({ step: 'bookPayout', gateway }))}
        />
      ))
  return (
    <section className="card-part" aria-label="คู่ที่น่าจะใช่">
      <div className="row">
        <h3 className="grow">คู่ที่น่าจะใช่</h3>
        {onAsk && (
          <Button
            id={FIND_BUTTON_ID}
            type="link"
            icon={<Search size={16} aria-hidden />}
            onClick={() => setIsFinding(true)}
          >
            ค้นหาเอง
          </Button>
        )}
      </div>
      {candidates.length === 0 && !payers.some(({ isNamed }) => isNamed) && (
        <p className="muted">ไม่พบคำสั่งซื้อหรือรายการเติมเงินที่น่าจะใช่{onAsk && ' ลองค้นหาเอง'}</p>
      )}
      <ul className="candidates">
        {payersThat('named')}
        {candidates.map(candidate => (
          <Candidate
            key={candidate.target.id}
            candidate={candidate}
            isBusy={busyTarget === candidate.target.id}
            isDisabled={isBusy}
            onChoose={onAsk && (() => onAsk({ step: 'match', candidate }, details.gapNote !== null))}
            onGiveBack={onAsk && (() => onAsk({ step: 'oweRefund', candidate }))}
          />
        ))}
        {payersThat('possible')}
      </ul>
      {isFinding && onAsk && (
        <FindTargetDialog
          line={line}
          onChoose={candidate => onAsk({ step: 'match', candidate }, true)}
          onClose={() => setIsFinding(false)}
        />
      )}
    </section>
  )
}

const OTHER_STEPS = [
  { step: 'creditWallet', label: 'เข้ากระเป๋าเงิน' },
  { step: 'oweRefund', label: 'รอคืนเงิน' },
  { step: 'ignore', label: 'ไม่เกี่ยวข้อง' },
] as const

/** The decisions other than a match. */
function OtherSteps({ details, isBusy, onAsk }: PartProps & { onAsk: NonNullable<PartProps['onAsk']> }) {
  const steps = OTHER_STEPS.filter(({ step }) => details.steps.includes(step))
  if (steps.length === 0) return null
  const payers = isUnexplained(details) ? [] : details.payers.filter(({ isNamed }) => !isNamed)
  return (
    <section className="card-part" aria-label="ไม่ใช่เงินค่าเติมเกม">
      <div className="other-steps">
        <span className="small muted grow">ไม่ใช่เงินค่าเติมเกม?</span>
        {payers.map(({ gateway }) => (
          <Button key={gateway} disabled={isBusy} onClick={() => onAsk({ step: 'bookPayout', gateway })}>
            ยอดโอนจาก {gatewayLabel(gateway)}
          </Button>
        ))}
        {steps.map(({ step, label }) => (
          <Button key={step} disabled={isBusy} onClick={() => onAsk({ step })}>
            {label}
          </Button>
        ))}
      </div>
      <p className="note muted">จับคู่แล้วยกเลิกได้ ระบบบันทึกชื่อผู้ทำและเหตุผล</p>
    </section>
  )
}

/** What was decided about the line, by whom, and the button that takes it back. */
function Outcome({ details: { line, payout, steps, undoBarrier }, isBusy, onAsk }: PartProps) {
  const { label, tone } = LINE_STATE[line.state]
  const { target } = line
  return (
    <section className="card-part" aria-label="ผลการจับคู่">
      <div className="row" style={{ marginBottom: 10 }}>
        <span className="grow">
          <span className={`tag is-${tone}`}>{label}</span>
        </span>
        {onAsk && steps.includes('undo') && (
          <Button className="is-danger" disabled={isBusy} onClick={() => onAsk({ step: 'undo' })}>
            {undoName(line.state)}
          </Button>
        )}
      </div>
      {onAsk && undoBarrier && <p className="small muted breakable">{undoBarrier}</p>}
      {line.decidedAt && (
        <Facts
          isSmall
          facts={[
            target !== null && [
              target.kind === 'order' ? 'คำสั่งซื้อ' : 'รายการเติมเงิน',
              <TargetLink key="target" target={target} />,
            ],
            payout !== null && ['ผู้ให้บริการ', gatewayLabel(payout.gateway)],
            payout !== null && payout.feeSatang > 0 && ['ค่าโอนที่หักไว้', `฿${formatBaht(payout.feeSatang)}`],
            ['โดย', line.decidedByName ?? 'ระบบจับคู่อัตโนมัติ'],
            ['เมื่อ', formatDateTimeSeconds(line.decidedAt)],
            ['เหตุผล', line.reason],
          ]}
        />
      )}
    </section>
  )
}

const stepNames: Record<LineEventStep, string> = {
  match: 'จับคู่',
  bookPayout: 'ยอดโอนจากผู้ให้บริการรับชำระ',
  creditWallet: 'เพิ่มเข้ากระเป๋าเงิน',
  oweRefund: 'รอคืนเงิน',
  ignore: 'ไม่เกี่ยวข้อง',
  undo: 'ยกเลิกการจับคู่',
  trust: 'ยืนยันยอดคงเหลือ',
  void: 'เพิกถอน',
  dispute: 'เพิกถอนไม่ได้',
  settle: 'ปิดเรื่องที่เพิกถอนไม่ได้',
}

function History({ details: { history } }: { details: LineDetails }) {
  if (history.length === 0) return null
  return (
    <section className="card-part" aria-label="ประวัติ">
      <h3>ประวัติ</h3>
      <ol className="line-history">
        {history.map(({ at, step, actorName, reason, target }) => (
          <li key={`${at} ${step}`} className="small">
            <div className="row">
              <span className="grow strong">
                {stepNames[step]} {target?.no}
              </span>
              <time className="note muted number" dateTime={at}>
                {formatDateTimeSeconds(at)}
              </time>
            </div>
            <div className="note muted">โดย {actorName ?? 'ระบบ'}</div>
            {reason && <div className="breakable">{reason}</div>}
          </li>
        ))}
      </ol>
    </section>
  )
}
