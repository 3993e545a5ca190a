import { Alert } from 'antd'
import { sentOnIn } from './sent-on.ts'

/**
 * Says in a form that saving failed, and why; draws nothing without a title. A request that was passed on to a second
 * person has not failed, so it is told as information.
 */
export function FailureNote({ title, text }: { title: string | null; text?: string | null }) {
  const sentOn = title && (sentOnIn(title) ?? sentOnIn(text))
  if (sentOn) return <Alert type="info" showIcon role="status" title={sentOn} className="form-alert" />
  return title && <Alert type="error" showIcon role="alert" title={title} description={text} className="form-alert" />
}
