import { Button } from 'antd'

/** Saves what was changed, by submitting the form it stands in unless `onSave` does it, or gives it up. */
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
