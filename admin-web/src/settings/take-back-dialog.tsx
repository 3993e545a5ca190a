import { messageOf } from '@shop/shared/errors.ts'
import { formatBaht } from '@shop/shared/money.ts'
import { previewTakeBack, type TakeBackPreview, takeBackLines } from '@shop/shared/statement/take-back-endpoints.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, DatePicker, Form, Input, Modal, Progress } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../account/session.tsx'
import { TargetLink } from '../account/staff-link.tsx'
import { Facts } from '../ui/facts.tsx'
import { required } from '../ui/form-errors.ts'
import { LoadError } from '../ui/load-error.tsx'

const count = (lines: number) => lines.toLocaleString('en-US')

interface Progressed {
  state: 'asking' | 'running' | 'failed' | 'done'
  voided: number
  undone: number
  stuck: number
  left: number
  error: unknown
}
const START: Progressed = { state: 'asking', voided: 0, undone: 0, stuck: 0, left: 0, error: null }

/** Has the server take a key's lines back, batch after batch; a second start goes on after the last batch. */
function useTakeBack(id: string) {
  const client = useClient()
  const [progress, setProgress] = useState(START)
  const after = useRef(0)
  const leaving = useRef<AbortController | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])
  const start = async (body: { since: string | null; reason: string }) => {
    const leave = new AbortController()
    leaving.current = leave
    let sum: Progressed = { ...progress, state: 'running', error: null }
    setProgress(sum)
    try {
      while (sum.state === 'running' && !leave.signal.aborted) {
        const done = await client.call(takeBackLines, { params: { id }, body: { ...body, after: after.current } })
        sum = {
          state: done.next === null ? 'done' : 'running',
          voided: sum.voided + done.voided,
          undone: sum.undone + done.undone,
          stuck: sum.stuck + done.stuck,
          left: done.left,
          error: null,
        }
        after.current = done.next ?? 0
        setProgress(sum)
      }
    } catch (error) {
      setProgress({ ...sum, state: 'failed', error })
    }
  }
  return { progress, start }
}

/** Takes back the lines that a leaked key sent, after showing what that will change. */
export function TakeBackDialog(props: { id: string; name: string; onDone: () => void; onClose: () => void }) {
  const { id, name, onDone, onClose } = props
  const client = useClient()
  const [since, setSince] = useState<Dayjs | null>(null)
  const [form] = Form.useForm<{ reason: string }>()
  const from = since?.toISOString() ?? null
  const preview = useQuery({
    ...client.query(previewTakeBack, { params: { id }, query: { since: from ?? undefined } }),
    staleTime: 0,
  })
  const { progress, start } = useTakeBack(id)
  const { state } = progress
  const close = () => {
    if (state !== 'asking') onDone()
    onClose()
  }
  return (
    <Modal
      open
      width={640}
      title={`เพิกถอนรายการของคีย์ ${name}`}
      mask={{ closable: false }}
      closable={state !== 'running'}
      keyboard={state !== 'running'}
      onCancel={close}
      footer={
        <>
          <Button disabled={state === 'running'} onClick={close}>
            ปิด
          </Button>
          {state !== 'done' && (
            <Button
              danger
              type="primary"
              loading={state === 'running'}
              disabled={!preview.data}
              onClick={() => form.submit()}
            >
              {state === 'failed' ? 'ทำต่อ' : 'ยกเลิกคีย์และเพิกถอน'}
            </Button>
          )}
        </>
      }
    >
      <p className="muted form-alert">
        ใช้เมื่อคีย์รั่ว รายการที่คีย์นี้ส่งและไม่มีไฟล์ธนาคารหรือคีย์อื่นบอกตรงกันจะถูกเพิกถอน และผลของรายการนั้นจะถูกย้อนกลับ
        นำเข้าไฟล์ธนาคารของช่วงนั้นก่อน รายการที่มีจริงจะได้ไม่ถูกเพิกถอน
      </p>
      {state === 'asking' && (
        <div className="form-alert">
          <label htmlFor="take-back-since">เฉพาะรายการที่ส่งตั้งแต่ (ว่าง = ทั้งหมด)</label>
          <DatePicker
            id="take-back-since"
            showTime={{ format: 'HH:mm' }}
            format="DD/MM/YYYY HH:mm"
            placeholder="ทั้งหมด"
            maxDate={dayjs()}
            value={since}
            onChange={setSince}
            style={{ width: '100%' }}
          />
        </div>
      )}
      {preview.isError && !preview.data && <LoadError error={preview.error} onRetry={() => preview.refetch()} />}
      {state === 'asking' && preview.data && <Foreseen preview={preview.data} />}
      {state !== 'asking' && <Taken progress={progress} />}
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        style={{ display: state === 'asking' ? undefined : 'none' }}
        onFinish={({ reason }) => void start({ since: from, reason: reason.trim() })}
      >
        <Form.Item name="reason" label="เหตุผล" rules={[required('กรุณาระบุเหตุผล')]}>
          <Input.TextArea rows={2} maxLength={500} showCount />
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** Says which lines would be taken back, and which can't be. */
function Foreseen({ preview: { idle, undone, stuck, confirmed, cases } }: { preview: TakeBackPreview }) {
  const sumOf = ({ lines, amountSatang }: TakeBackPreview['idle']) =>
    `${count(lines)} รายการ · ฿${formatBaht(amountSatang)}`
  return (
    <>
      <Facts
        isSmall
        facts={[
          ['เพิกถอนได้ทันที', sumOf(idle)],
          ['ย้อนผลแล้วเพิกถอน', sumOf(undone)],
          ['เพิกถอนไม่ได้', sumOf(stuck)],
          ['มีแหล่งอื่นยืนยัน (คงไว้)', sumOf(confirmed)],
        ]}
      />
      {cases.length > 0 && (
        <ul className="take-back-cases" aria-label="รายการที่เพิกถอนไม่ได้">
          {cases.map(({ lineId, no, amountSatang, target, why }) => (
            <li key={lineId} className="small">
              <span className="number strong">฿{formatBaht(amountSatang)}</span> เลขที่ {no}{' '}
              {target && <TargetLink target={target} />} <span className="muted">{why}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Taken({ progress: { state, voided, undone, stuck, left, error } }: { progress: Progressed }) {
  const done = voided + stuck
  return (
    <div className="form-alert">
      <p role="status">
        {state === 'done' ? 'เพิกถอนเสร็จแล้ว' : 'กำลังเพิกถอน'} {count(voided)} รายการ (ย้อนผล {count(undone)}) · เพิกถอนไม่ได้{' '}
        {count(stuck)}
      </p>
      <Progress
        percent={state === 'done' ? 100 : done + left > 0 ? Math.floor((done / (done + left)) * 100) : 0}
        status={state === 'failed' ? 'exception' : state === 'done' ? 'success' : 'active'}
        aria-label="ความคืบหน้าการเพิกถอน"
      />
      {state === 'failed' && (
        <Alert type="error" showIcon role="alert" title="หยุดกลางทาง ที่ทำแล้วยังอยู่ครบ" description={messageOf(error)} />
      )}
      {state === 'done' && stuck > 0 && (
        <Alert
          type="warning"
          showIcon
          title="รายการที่เพิกถอนไม่ได้อยู่ในหน้า งานรอทำ"
          description="ตรวจทีละรายการ แล้วปิดเรื่องในหน้ารายการธนาคาร"
        />
      )}
    </div>
  )
}
