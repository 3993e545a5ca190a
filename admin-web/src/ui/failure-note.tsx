import { Alert } from 'antd'
import { sentOnIn } from './sent-on.ts'

/**
 * At a form: that what was asked for failed, and why. Nothing without a title. What was sent on to a second person has not
 * failed, and is told without alarm.
 */
export function FailureNote({ title, text }: { title: string | null; text?: string | null }) {
  const sentOn = title && (sentOnIn(title) ?? sentOnIn(text))
  if (sentOn) return <Alert type="info" showIcon role="status" title={sentOn} className="form-alert" />
  return title && <Alert type="error" showIcon role="alert" title={title} description={text} className="form-alert" />
}
