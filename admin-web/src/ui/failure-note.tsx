import { Alert } from 'antd'

/** At a form: that what was asked for failed, and why. Nothing without a title. */
export function FailureNote({ title, text }: { title: string | null; text?: string | null }) {
  return title && <Alert type="error" showIcon role="alert" title={title} description={text} className="form-alert" />
}
