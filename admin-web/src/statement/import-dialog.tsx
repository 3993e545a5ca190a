import { messageOf } from '@shop/shared/errors.ts'
import { Alert, Button, Checkbox, Modal, Progress, Upload } from 'antd'
import { FileSpreadsheet } from 'lucide-react'
import { FailureNote } from '../ui/failure-note.tsx'
import { AccountSelect } from './account-select.tsx'
import { ImportPreview } from './import-preview.tsx'
import { mappingOf } from './mapping-draft.ts'
import { MappingEditor } from './mapping-editor.tsx'
import { type ImportFlow, useImport } from './use-import.ts'
import type { MatchProgress } from './use-matching.ts'

const count = (number: number) => number.toLocaleString('en-US')

/** Imports a bank's file as a whole: shows what is in it and, if its layout is unknown, asks what the columns are. */
export function ImportDialog({ accountId, onClose }: { accountId: number | null; onClose: () => void }) {
  const flow = useImport(accountId)
  const { step, isBusy, columns } = flow
  return (
    <Modal
      open
      width={step === 'choose' || step === 'matching' ? 560 : 1040}
      title="นำเข้าไฟล์ธนาคาร"
      style={{ top: 40 }}
      mask={{ closable: false }}
      closable={!isBusy}
      keyboard={!isBusy}
      onCancel={onClose}
      footer={<Footer flow={flow} onClose={onClose} />}
    >
      {step === 'choose' && <ChooseFile file={flow.file} />}
      {step === 'columns' && <Columns columns={columns} />}
      {step === 'preview' && <Preview flow={flow} />}
      {step === 'matching' && <Matching flow={flow} />}
    </Modal>
  )
}

function ChooseFile({ file: flow }: { file: ImportFlow['file'] }) {
  const { account, file, sent, read } = flow
  const isMissing = account === null && file !== null
  return (
    <div className="choose-file">
      <div>
        <label htmlFor="import-account" className="strong">
          บัญชีของไฟล์นี้
        </label>
        <AccountSelect
          id="import-account"
          width="100%"
          value={account}
          disabled={read.isPending}
          isInvalid={isMissing}
          onChange={flow.chooseAccount}
        />
        <div className="field-error" role="alert">
          {isMissing && 'กรุณาเลือกบัญชีธนาคาร'}
        </div>
      </div>
      <Upload.Dragger
        accept=".csv,.txt,.xlsx,.xls,.xml,text/csv"
        maxCount={1}
        showUploadList={false}
        disabled={read.isPending}
        beforeUpload={chosen => {
          flow.chooseFile(chosen)
          return false
        }}
      >
        <span className="dropzone">
          <FileSpreadsheet size={28} aria-hidden />
          <span className="strong breakable">{file ? file.name : 'ลากไฟล์มาวาง หรือกดเพื่อเลือกไฟล์'}</span>
          <span className="small muted">CSV หรือ Excel ที่ดาวน์โหลดจากธนาคาร ไม่เกิน 20 MB ขั้นนี้ยังไม่บันทึกอะไร</span>
        </span>
      </Upload.Dragger>
      {read.isPending && (
        <div>
          <span className="small" role="status">
            {sent < 1 ? 'กำลังส่งไฟล์' : 'ส่งไฟล์แล้ว กำลังอ่าน'}
          </span>
          <Progress percent={Math.round(sent * 100)} status="active" aria-label="ความคืบหน้าการส่งไฟล์" />
        </div>
      )}
      {read.isError && (
        <Alert
          type="error"
          showIcon
          role="alert"
          title="อ่านไฟล์ไม่สำเร็จ"
          description={messageOf(read.error)}
          action={<Button onClick={flow.retry}>ลองอีกครั้ง</Button>}
        />
      )}
    </div>
  )
}

function Columns({ columns }: { columns: ImportFlow['columns'] }) {
  const { preview, draft, setDraft, check } = columns
  if (!preview || !draft) return null
  return (
    <>
      <FailureNote title={check.error && 'ตรวจไฟล์ไม่สำเร็จ'} text={messageOf(check.error)} />
      {!preview.mapping && <p className="strong">ระบบยังไม่รู้จักรูปแบบไฟล์นี้</p>}
      <MappingEditor draft={draft} rows={preview.rows} onChange={setDraft} />
    </>
  )
}

function Preview({ flow }: { flow: ImportFlow }) {
  const { preview, ownMapping } = flow.columns
  const { error } = flow.take
  if (!preview) return null
  return (
    <>
      <FailureNote title={error && 'นำเข้าไม่สำเร็จ ยังไม่มีอะไรถูกบันทึก'} text={messageOf(error)} />
      <p className="strong breakable">{preview.fileName}</p>
      <ImportPreview preview={preview} onAccount={flow.file.chooseAccount} />
      {preview.gaps > 0 && !preview.stranger && (
        <Alert
          type="warning"
          showIcon
          style={{ marginTop: 16 }}
          title={`ยอดคงเหลือของ ${count(preview.gaps)} รายการไม่ต่อจากยอดที่ระบบรู้จักของบัญชีนี้`}
          description={
            <Checkbox checked={flow.acceptsGap} onChange={({ target }) => flow.setAcceptsGap(target.checked)}>
              ตรวจแล้วว่าเป็นไฟล์ของบัญชีนี้ นำเข้าได้ โดยระบบจะไม่จับคู่รายการเหล่านี้เอง
            </Checkbox>
          }
        />
      )}
      {ownMapping && !preview.stranger && (
        <Checkbox checked={flow.isRemembered} onChange={({ target }) => flow.setIsRemembered(target.checked)}>
          จำคอลัมน์นี้ไว้ใช้กับไฟล์แบบเดียวกันของบัญชีนี้
        </Checkbox>
      )}
    </>
  )
}

function Footer({ flow, onClose }: { flow: ImportFlow; onClose: () => void }) {
  if (flow.step === 'choose') return <Button onClick={onClose}>ปิด</Button>
  if (flow.step === 'columns') return <ColumnsFooter flow={flow} />
  if (flow.step === 'preview') return <PreviewFooter flow={flow} />
  const isDone = flow.matching.progress.state === 'done'
  return (
    <Button type={isDone ? 'primary' : 'default'} onClick={onClose}>
      {isDone ? 'เสร็จแล้ว' : 'ปิด ระบบจะจับคู่ต่อเอง'}
    </Button>
  )
}

function OtherFile({ flow }: { flow: ImportFlow }) {
  return (
    <Button disabled={flow.isBusy} onClick={flow.startOver}>
      เลือกไฟล์อื่น
    </Button>
  )
}

function ColumnsFooter({ flow }: { flow: ImportFlow }) {
  const { preview, draft, check, setIsOpen } = flow.columns
  if (!preview || !draft) return null
  const result = mappingOf(draft, preview.rows)
  return (
    <div className="drawer-footer">
      <OtherFile flow={flow} />
      {preview.mapping && (
        <Button disabled={flow.isBusy} onClick={() => setIsOpen(false)}>
          กลับไปผลตรวจ
        </Button>
      )}
      <Button
        type="primary"
        disabled={'missing' in result}
        loading={check.isPending}
        onClick={() => 'mapping' in result && check.mutate({ fileId: preview.fileId, mapping: result.mapping })}
      >
        ตรวจทั้งไฟล์
      </Button>
    </div>
  )
}

function PreviewFooter({ flow }: { flow: ImportFlow }) {
  const { preview, setIsOpen } = flow.columns
  const { account } = flow.file
  if (!preview || account === null) return null
  const { fresh, unreadable } = preview.counts
  const isReadable = unreadable === 0 && preview.problems.length === 0 && !preview.stranger
  const label = fresh > 0 ? `นำเข้า ${count(fresh)} รายการใหม่` : isReadable ? 'ไม่มีรายการใหม่' : 'นำเข้า'
  return (
    <div className="drawer-footer">
      <OtherFile flow={flow} />
      <Button disabled={flow.isBusy} onClick={() => setIsOpen(true)}>
        แก้ไขคอลัมน์
      </Button>
      <Button
        type="primary"
        disabled={!isReadable || fresh === 0 || (preview.gaps > 0 && !flow.acceptsGap)}
        loading={flow.take.isPending}
        onClick={() => flow.take.mutate({ fileId: preview.fileId, receivingAccountId: account })}
      >
        {label}
      </Button>
    </div>
  )
}

function percentOf({ tried, left, state }: MatchProgress): number {
  if (state === 'done') return 100
  return tried + left > 0 ? Math.floor((tried / (tried + left)) * 100) : 0
}

function Matching({ flow: { take, matching } }: { flow: ImportFlow }) {
  const { matched, left, state, error } = matching.progress
  return (
    <div className="choose-file">
      <p>
        นำเข้าแล้ว <b className="strong number">{count(take.data?.imported ?? 0)}</b> รายการใหม่ มีอยู่แล้ว{' '}
        <span className="number">{count(take.data?.known ?? 0)}</span> รายการ
      </p>
      <p role="status">
        {state === 'done' ? 'จับคู่เสร็จแล้ว' : 'กำลังจับคู่กับคำสั่งซื้อและรายการเติมเงิน'} · จับคู่ได้{' '}
        <b className="strong number">{count(matched)}</b> รายการ
        {state !== 'done' && left > 0 && ` เหลือ ${count(left)} รายการ`}
      </p>
      {take.data?.needsSecond && (
        <Alert
          type="warning"
          showIcon
          title="ไฟล์นี้รอคนที่สองยืนยัน"
          description="ยอดเงินเข้าเกินที่คนเดียวรับรองได้ในหนึ่งวัน คำสั่งซื้อที่จับคู่ได้ถือว่าจ่ายแล้ว แต่จะยังไม่ถูกส่งให้ผู้จำหน่ายจนกว่าผู้จัดการคนอื่นจะยืนยันไฟล์ในหน้านี้"
        />
      )}
      <Progress
        percent={percentOf(matching.progress)}
        status={state === 'failed' ? 'exception' : state === 'done' ? 'success' : 'active'}
        aria-label="ความคืบหน้าการจับคู่"
      />
      {state === 'failed' && (
        <Alert
          type="error"
          showIcon
          role="alert"
          title="จับคู่ต่อไม่สำเร็จ รายการที่นำเข้าแล้วยังอยู่ครบ"
          description={messageOf(error)}
          action={<Button onClick={() => take.variables && matching.start(take.variables)}>ลองอีกครั้ง</Button>}
        />
      )}
    </div>
  )
}
