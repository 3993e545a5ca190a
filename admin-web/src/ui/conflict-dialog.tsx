import { formatDateTimeSeconds } from '@shop/shared/time.ts'
import { Button, Modal } from 'antd'
import type { ReactNode } from 'react'
import './conflict.css'

/** A field of a form by its label, as people read it on both sides. */
export interface Comparison {
  label: string
  typed: ReactNode
  saved: ReactNode
}

/**
 * Two people edited the same thing: shows what was typed beside what is saved now, where they differ. Either side is
 * taken by a button; closing leaves the form as it was typed.
 */
export function ConflictDialog(props: {
  /** What both edited, e.g. the name of the game. */
  what: string
  /** Every field; those that look the same on both sides are left out. */
  fields: readonly Comparison[]
  savedBy?: string | null
  savedAt?: string | null
  isSaving: boolean
  onTakeSaved: () => void
  onOverwrite: () => void
  onClose: () => void
}) {
  const { what, fields, savedBy, savedAt, isSaving, onTakeSaved, onOverwrite, onClose } = props
  const differing = fields.filter(({ typed, saved }) => typed !== saved)
  const when = savedAt ? ` เมื่อ ${formatDateTimeSeconds(savedAt)}` : ''
  return (
    <Modal
      open
      width={720}
      title={`${what} ถูกแก้ไขระหว่างที่คุณกรอก`}
      mask={{ closable: false }}
      keyboard={!isSaving}
      closable={!isSaving}
      onCancel={onClose}
      footer={
        <div className="drawer-footer">
          <Button disabled={isSaving} onClick={onTakeSaved}>
            ใช้ค่าที่บันทึกแล้ว
          </Button>
          <Button danger loading={isSaving} onClick={onOverwrite}>
            บันทึกของฉันทับ
          </Button>
        </div>
      }
    >
      <p role="alert" className="form-alert">
        {savedBy ? `${savedBy} บันทึกไว้` : 'มีผู้บันทึกไว้'}
        {when} ยังไม่มีอะไรถูกเขียนทับ และสิ่งที่คุณกรอกยังอยู่
      </p>
      <table className="comparison">
        <thead>
          <tr>
            <th scope="col">ข้อมูล</th>
            <th scope="col">ที่คุณกรอก</th>
            <th scope="col">ที่บันทึกอยู่ตอนนี้</th>
          </tr>
        </thead>
        <tbody>
          {differing.map(({ label, typed, saved }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{typed || '–'}</td>
              <td>{saved || '–'}</td>
            </tr>
          ))}
          {differing.length === 0 && (
            <tr>
              <td colSpan={3}>ทั้งสองฝั่งเหมือนกันทุกช่อง</td>
            </tr>
          )}
        </tbody>
      </table>
    </Modal>
  )
}
