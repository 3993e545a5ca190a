import { App } from 'antd'

/** Closes a form; while something in it is unsaved, only after asking. */
export function useCloseGuard(isChanged: boolean, close: () => void): () => void {
  const { modal } = App.useApp()
  return () => {
    if (!isChanged) return close()
    modal.confirm({
      title: 'ปิดโดยไม่บันทึก?',
      content: 'สิ่งที่แก้ไขในฟอร์มนี้จะหายไป',
      okText: 'ปิดโดยไม่บันทึก',
      okButtonProps: { danger: true },
      cancelText: 'แก้ไขต่อ',
      focusable: { autoFocusButton: 'cancel' },
      onOk: close,
    })
  }
}
