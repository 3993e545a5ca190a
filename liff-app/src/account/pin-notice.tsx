import type { PinState } from '@shop/shared/account/endpoints.ts'
import { formatPinLockEnd } from '@shop/shared/account/pin.ts'
import { formatShort } from '@shop/web/dates.ts'
import { Lock, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ContactLink } from '../settings/contact-link.tsx'
import { isText, read, write } from '../storage.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Note } from '../ui/note.tsx'
import { useSession } from './session.tsx'

/** From so many wrong tries in a day on their owner is told, locked or not. */
const MANY_TRIES = 5

type ShownLock = NonNullable<PinState['lock']>

/** When the PIN can be used again. */
function endOf({ until, isHolding }: ShownLock, now: Date): string {
  if (!isHolding) return 'ตอนนี้ใช้ได้แล้ว'
  return until === null ? 'กรุณาติดต่อร้านเพื่อตั้ง PIN ใหม่' : `ใช้ได้อีกครั้งตั้งแต่ ${formatPinLockEnd(new Date(until), now)}`
}

/** Tells the owner of a wallet of tries at its PIN that may have been somebody else's; one that is over may be put away. */
export function PinNotice({ pin, nowDate }: { pin: PinState; nowDate: string }) {
  const { lock, wrongToday } = pin
  const [seen, setSeen] = useState(() => read('seenPinLock', isText))
  if (lock && (lock.isHolding || lock.at !== seen)) {
    const putAway = () => {
      write('seenPinLock', lock.at)
      setSeen(lock.at)
    }
    return (
      <Note
        className="mt-3"
        kind="warn"
        icon={Lock}
        role="status"
        action={!lock.isHolding && <IconButton icon={X} label="รับทราบ" onClick={putAway} className="-my-2 -mr-2" />}
      >
        <p className="font-semibold">PIN ถูกล็อกเมื่อ {formatShort(lock.at)} เพราะกรอกผิดหลายครั้ง</p>
        <p>{endOf(lock, new Date(nowDate))}</p>
        <IfNotMe />
      </Note>
    )
  }
  if (lock || wrongToday < MANY_TRIES) return null
  return (
    <Note className="mt-3" kind="warn" icon={Lock} role="status">
      <p className="font-semibold">วันนี้มีผู้กรอก PIN ผิด {wrongToday} ครั้ง</p>
      <IfNotMe />
    </Note>
  )
}

/** Somebody else is in the account: what its owner does about that. */
function IfNotMe() {
  const { me } = useSession()
  const hasPassword = me?.providers.includes('password') ?? false
  return (
    <p>
      ถ้าไม่ใช่คุณ แปลว่ามีคนอื่นเข้าบัญชีนี้อยู่{' '}
      {hasPassword && (
        <>
          <Link to={`/user/${me?.uid}?panel=password`} className="link py-3">
            เปลี่ยนรหัสผ่าน
          </Link>{' '}
          และ
        </>
      )}
      <ContactLink>ติดต่อร้าน</ContactLink>
      ทันที
    </p>
  )
}
