import { App, Button } from 'antd'
import { useRef } from 'react'
import { useClient } from '../account/session.tsx'
import { useUndo } from './use-undo.ts'

/** Long enough to read what was saved and to change one's mind. */
const SHOWN_SECONDS = 10

/** Adds an undo button to the message that a write of the catalogue or the settings was saved. */
export function useUndoable() {
  const client = useClient()
  const undo = useUndo()
  const { message } = App.useApp()
  const last = useRef<string | null>(null)
  const save: typeof client.call = async (endpoint, ...[input]) => {
    const { reply, changeId } = await client.change(endpoint, input as never)
    last.current = changeId
    return reply
  }
  /** Shows that the save succeeded. A new thing can only be switched off, so it gets no undo button. */
  const tellSaved = (text: string, { isNew = false } = {}) => {
    const changeId = last.current
    if (isNew || changeId === null) return void message.success(text)
    const takeBack = () => {
      message.destroy(changeId)
      return undo({ changeId }, 'เลิกทำสำเร็จ กลับเป็นค่าเดิมแล้ว')
    }
    message.success({
      key: changeId,
      duration: SHOWN_SECONDS,
      content: (
        <>
          {text}
          <Button type="link" size="small" onClick={takeBack}>
            เลิกทำ
          </Button>
        </>
      ),
    })
  }
  return { save, tellSaved }
}
