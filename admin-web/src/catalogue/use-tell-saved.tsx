import { undoChange } from '@shop/shared/audit/endpoints.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { App, Button } from 'antd'
import { useClient } from '../account/session.tsx'
import { useCatalogueChanged } from './use-catalogue-changed.ts'

/** Long enough to read what was saved, and to think again. */
const SHOWN_SECONDS = 10

/** Says that a change was saved, and takes it back on request. */
export function useTellSaved() {
  const client = useClient()
  const { message } = App.useApp()
  const changed = useCatalogueChanged()
  const takeBack = async (body: { subject: string; at: string }) => {
    message.destroy(body.subject)
    try {
      await client.call(undoChange, { body })
      message.success('เลิกทำสำเร็จ กลับเป็นค่าเดิมแล้ว')
    } catch (error) {
      message.error(messageOf(error), 6)
    }
    changed()
  }
  /** `subject` as the audit log names it, `at` when it was saved. */
  return (text: string, { subject, at }: { subject: string; at: string | null }) => {
    if (at === null) return message.success(text)
    return message.success({
      key: subject,
      duration: SHOWN_SECONDS,
      content: (
        <>
          {text}
          <Button type="link" size="small" onClick={() => takeBack({ subject, at })}>
            เลิกทำ
          </Button>
        </>
      ),
    })
  }
}
