import { errorMessage } from '@shop/shared/errors.ts'
import { isGivenUp, signInProblemOf } from '@shop/web/sign-in-problem.ts'
import { ContactLink } from '../settings/contact-link.tsx'
import { Note } from '../ui/note.tsx'
import { hasAccountElsewhere } from './link-offer.ts'

const TITLE = 'เข้าสู่ระบบไม่สำเร็จ'
const THEN_LINK = 'ถ้าเป็นบัญชีของคุณ เข้าสู่ระบบด้วยวิธีเดิมก่อน แล้วร้านจะถามว่าต้องการเชื่อมต่อ LINE ด้วยหรือไม่'

interface SignInProblemNoteProps {
  error: unknown
  /** The title is left out, because the page around it says it already. */
  untitled?: boolean
  className?: string
}

/** Says why a sign-in failed, and what the person can do about it. */
export function SignInProblemNote({ error, untitled, className }: SignInProblemNoteProps) {
  const text = signInProblemOf(error)
  if (isGivenUp(error)) {
    return (
      <Note role="status" className={className}>
        {text}
      </Note>
    )
  }
  return (
    <Note kind="bad" role="alert" className={className}>
      {!untitled && text !== errorMessage('SIGN_IN_FAILED') && <b className="block">{TITLE}</b>}
      {text}
      {hasAccountElsewhere(error) && <span className="mt-1 block">{THEN_LINK}</span>}
      {text === errorMessage('ACCOUNT_INACTIVE') && (
        <span className="mt-1 block">
          <ContactLink>ติดต่อแอดมิน</ContactLink>
        </span>
      )}
    </Note>
  )
}
