import { Button } from 'antd'

/** Buttons that save or drop a change. Without `onSave`, saving submits the form around them. */
export function SaveButtons(props: { what: string; isSaving: boolean; onSave?: () => void; onDrop: () => void }) {
  const { what, isSaving, onSave, onDrop } = props
  return (
    <>
      <Button disabled={isSaving} aria-label={`ยกเลิก ${what}`} onClick={onDrop}>
        ยกเลิก
      </Button>
      <Button
        type="primary"
        htmlType={onSave ? 'button' : 'submit'}
        loading={isSaving}
        aria-label={`บันทึก ${what}`}
        onClick={onSave}
      >
        บันทึก
      </Button>
    </>
  )
}
