import { undoChange } from '@shop/shared/audit/endpoints.ts'
import type { EndpointInput } from '@shop/shared/endpoint.ts'
import { messageOf } from '@shop/shared/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useClient } from '../account/session.tsx'
import { sentOnIn } from '../ui/sent-on.ts'

/** Undoes a change and shows the result. A refusal names what was changed since, and stays until it is closed. */
export function useUndo() {
  const client = useClient()
  const queries = useQueryClient()
  const { modal, message } = App.useApp()
  return async (which: EndpointInput<typeof undoChange>['body'], done: string) => {
    try {
      await client.call(undoChange, { body: which })
      message.success(done)
    } catch (error) {
      const sentOn = sentOnIn(messageOf(error))
      if (sentOn) modal.info({ title: 'ส่งให้คนที่สองยืนยันแล้ว', content: sentOn, okText: 'ตกลง' })
      else modal.error({ title: 'ย้อนกลับไม่สำเร็จ', content: messageOf(error), okText: 'ตกลง', width: 560 })
    }
    // Any page may show what was undone.
    await queries.invalidateQueries()
  }
}
