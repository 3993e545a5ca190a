import { PAYMENT_METHOD } from '@shop/shared/catalogue/payment-method.ts'
import { messageOf } from '@shop/shared/errors.ts'
import {
  closeCharge,
  closeJob,
  type DeadJob,
  getHealth,
  getUnfinished,
  retryJob,
  type UnknownCharge,
} from '@shop/shared/health/endpoints.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { gatewayLabel } from '@shop/shared/provider-names.ts'
import { formatShort } from '@shop/web/dates.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Age } from '../account/age.tsx'
import { useClient } from '../account/session.tsx'
import { TargetLink } from '../account/staff-link.tsx'
import { LoadError } from '../ui/load-error.tsx'
import { ReasonDialog } from '../ui/reason-dialog.tsx'

const POLL_MS = 30_000

/** What nobody outside has answered, and jobs that were given up, until somebody has dealt with them. */
export function Unfinished() {
  const client = useClient()
  const { data, error, refetch } = useQuery({ ...client.query(getUnfinished), refetchInterval: POLL_MS })
  if (!data)
    return error ? (
      <section className="card" aria-label="งานที่รอคนดู">
        <LoadError error={error} onRetry={refetch} />
      </section>
    ) : null
  const { charges, jobs, counts, nowDate } = data
  return (
    <>
      <List title="การชำระที่ยังไม่รู้ผล" count={counts.charges} shown={charges.length}>
        {charges.map(charge => (
          <Charge key={charge.id} charge={charge} now={nowDate} />
        ))}
      </List>
      <List title="งานของระบบที่เลิกทำ" count={counts.jobs} shown={jobs.length}>
        {jobs.map(job => (
          <Job key={job.id} job={job} now={nowDate} />
        ))}
      </List>
    </>
  )
}

function List({ title, count, shown, children }: { title: string; count: number; shown: number; children: ReactNode }) {
  if (count === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="health-heading">
        {title} <span className="number">({count.toLocaleString('en-US')})</span>
      </h2>
      {shown < count && <p className="muted">แสดง {shown.toLocaleString('en-US')} รายการที่รอนานที่สุด</p>}
      <ul className="card health">{children}</ul>
    </section>
  )
}

/** What is said of a charge: the gateway is silent, contradicts the shop, or never said how it ended. */
const saidOf = ({ contradiction, silentSince }: UnknownCharge): string =>
  contradiction
    ? `ผู้ให้บริการบอกไม่ตรงกับร้าน: ${contradiction}`
    : silentSince
      ? 'ผู้ให้บริการยังไม่ตอบ ระบบถามต่อเอง'
      : 'หมดเวลาแล้ว ผู้ให้บริการยังไม่บอกผล ระบบถามต่อเอง'

function Charge({ charge, now }: { charge: UnknownCharge; now: string }) {
  const [isClosing, setClosing] = useState(false)
  const { id, target, method, gateway, reference, amountSatang, since } = charge
  return (
    <li>
      <Age kind="unknownCharges" since={since} now={now} />
      <div>
        <h3 className="number">
          {target ? <TargetLink target={target} /> : 'ไม่ทราบคำสั่งซื้อ'} · {formatBaht(amountSatang)} บาท
        </h3>
        <p className={charge.contradiction ? 'is-bad' : 'muted'}>{saidOf(charge)}</p>
        <p className="note muted">
          {[PAYMENT_METHOD[method].name, gatewayLabel(gateway), reference].filter(Boolean).join(' · ')}
        </p>
      </div>
      <span className="note muted number">ตั้งแต่ {formatShort(since)}</span>
      <Button aria-label={`ปิดเรื่อง ${target?.no ?? id}`} onClick={() => setClosing(true)}>
        ปิดเรื่อง…
      </Button>
      {isClosing && (
        <CloseDialog
          title="รู้ผลของการชำระนี้แล้ว?"
          advice="ดูผลในหน้าของผู้ให้บริการก่อน ระบบจะเลิกถาม แต่หากภายหลังพบว่าเงินเข้า จะบันทึกให้ตามปกติ"
          endpoint={closeCharge}
          id={id}
          onClose={() => setClosing(false)}
        />
      )}
    </li>
  )
}

function Job({ job, now }: { job: DeadJob; now: string }) {
  const [isClosing, setClosing] = useState(false)
  const { id, label, target, createdAt, deadAt, lastError } = job
  const client = useClient()
  const { message } = App.useApp()
  const refresh = useRefresh()
  const retry = useMutation({
    mutationFn: () => client.call(retryJob, { params: { id } }),
    onSuccess: () => message.success('เริ่มงานอีกครั้งแล้ว'),
    onError: error => message.error(messageOf(error)),
    onSettled: refresh,
  })
  const name = [label, target?.no].filter(Boolean).join(' ')
  return (
    <li>
      <Age kind="deadJobs" since={deadAt} now={now} />
      <div>
        <h3>
          {label}
          {target && (
            <>
              {' · '}
              <TargetLink target={target} className="number" />
            </>
          )}
        </h3>
        <p className="muted">ระบบลองจนครบแล้วไม่สำเร็จ</p>
        {lastError && <p className="note muted">{lastError}</p>}
      </div>
      <span className="note muted number">
        เริ่ม {formatShort(createdAt)}
        <br />
        เลิกทำ {formatShort(deadAt)}
      </span>
      <span className="row">
        <Button aria-label={`ลองอีกครั้ง ${name}`} loading={retry.isPending} onClick={() => retry.mutate()}>
          ลองอีกครั้ง
        </Button>
        <Button aria-label={`ปิดเรื่อง ${name}`} onClick={() => setClosing(true)}>
          ปิดเรื่อง…
        </Button>
      </span>
      {isClosing && (
        <CloseDialog
          title="จัดการงานนี้แล้ว?"
          advice="ปิดเมื่อทำสิ่งนี้ด้วยวิธีอื่นแล้ว หรือไม่ต้องทำอีก ระบบจะไม่ลองงานนี้อีก"
          endpoint={closeJob}
          id={id}
          onClose={() => setClosing(false)}
        />
      )}
    </li>
  )
}

function useRefresh() {
  const client = useClient()
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [getUnfinished, getHealth].map(endpoint =>
        queries.invalidateQueries({ queryKey: client.query(endpoint).queryKey }),
      ),
    )
}

interface CloseDialogProps {
  title: string
  advice: string
  endpoint: typeof closeCharge | typeof closeJob
  id: string
  onClose: () => void
}

function CloseDialog({ title, advice, endpoint, id, onClose }: CloseDialogProps) {
  const client = useClient()
  const { message } = App.useApp()
  const refresh = useRefresh()
  const close = useMutation({
    mutationFn: (reason: string) => client.call(endpoint, { params: { id }, body: { reason } }),
    onSuccess: async () => {
      message.success('ปิดเรื่องแล้ว')
      onClose()
      await refresh()
    },
  })
  return (
    <ReasonDialog
      title={title}
      okText="ปิดเรื่อง"
      label="รู้ผลหรือทำอะไรไปแล้ว"
      isBusy={close.isPending}
      failure={close.error && messageOf(close.error)}
      onSubmit={close.mutate}
      onClose={onClose}
    >
      <p className="muted form-alert">{advice}</p>
    </ReasonDialog>
  )
}
