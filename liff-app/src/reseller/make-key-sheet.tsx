import { AppError, messageOf } from '@shop/shared/errors.ts'
import { formatMoney } from '@shop/shared/money.ts'
import { KEY_MODE, type KeyMode } from '@shop/shared/reseller/reseller.ts'
import { useEffect, useRef } from 'react'
import { isPinClosed, PinClosedNote } from '../account/pin-closed.tsx'
import { ContactLink } from '../settings/contact-link.tsx'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { bringIntoView } from '../ui/focus-on.ts'
import { PinPad } from '../ui/pin-pad.tsx'
import { Problem } from '../ui/problem.tsx'
import { isUnanswered } from '../unanswered.ts'
import { firstCallOf } from './address.ts'
import type { ReadKey } from './forms.ts'
import { KeyForm } from './key-form.tsx'
import { OnceSheet, OneText } from './once-sheet.tsx'
import { type Making, useMakeKey } from './use-make-key.ts'

interface MakeKeySheetProps {
  /** The mode that is chosen at first. */
  mode: KeyMode
  /** Modes of which there are as many keys as may be. */
  full: readonly KeyMode[]
  open: boolean
  onClose: () => void
  /** A key was made, and its token was kept. */
  onKept: () => void
}

/** Makes a key: the form, the PIN, and the token, which is shown once. Closed before that, it keeps what was typed. */
export function MakeKeySheet({ mode, full, open, onClose, onKept }: MakeKeySheetProps) {
  const making = useMakeKey(mode)
  const { checked, token } = making
  return (
    <OnceSheet
      open={open}
      title={checked ? 'ยืนยันการสร้างคีย์' : 'สร้างคีย์'}
      busy={making.isBusy}
      secret={
        token !== null && checked ? { name: 'คีย์', text: token, use: <FirstCall made={checked} token={token} /> } : null
      }
      onClose={onClose}
      onKept={onKept}
    >
      {checked ? <PinStep made={checked} making={making} /> : <KeyForm making={making} full={full} />}
    </OnceSheet>
  )
}

/** A call that works with the key, for those that may read. */
const FirstCall = ({ made: { scopes, addresses }, token }: { made: ReadKey; token: string }) =>
  scopes.includes('read') && (
    <>
      <h3 className="mt-4 text-label">ลองเรียกครั้งแรก</h3>
      <p className="text-ink-2 text-note">
        วางในเทอร์มินัล แล้วจะได้ยอดในกระเป๋า{addresses.length > 0 && ' ต้องเรียกจากที่อยู่ IP ที่ตั้งไว้'}
      </p>
      <OneText text={firstCallOf(location.origin, token)} label="คัดลอก คำสั่ง" />
    </>
  )

const LOST = 'ยังไม่ทราบผล กรุณาดูรายการคีย์ก่อนลองอีกครั้ง หากมีคีย์ชื่อนี้แล้ว ให้ยกเลิกคีย์นั้นแล้วสร้างใหม่'

function PinStep({ made, making: { error, isBusy, sendPin, toForm } }: { made: ReadKey; making: Making }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const isWrong = error instanceof AppError && error.code === 'PIN_WRONG'
  const problem = error && !isWrong && !isBusy && (isUnanswered(error) ? LOST : messageOf(error))
  return (
    <>
      <div ref={bringIntoView} className="scroll-mt-16 rounded-control bg-canvas px-3.5 py-2.5">
        <Facts
          facts={[
            { label: 'คีย์', value: made.name },
            { label: 'โหมด', value: KEY_MODE[made.mode].label },
            { label: 'วงเงินต่อวัน', value: limitTextOf(made) },
          ]}
        />
      </div>
      {isPinClosed(error) ? (
        <PinClosedNote className="mt-3" error={error} />
      ) : (
        <>
          <Problem className="mt-3">{problem}</Problem>
          <PinPad
            label="กรุณากรอก PIN กระเป๋าเงินเพื่อสร้างคีย์"
            inputRef={input}
            busy={isBusy}
            error={isWrong && !isBusy ? messageOf(error) : undefined}
            help={isBusy ? 'กำลังสร้างคีย์' : <ContactLink>ลืม PIN</ContactLink>}
            onComplete={sendPin}
          />
        </>
      )}
      <Button kind="quiet" block className="mt-2" onClick={() => !isBusy && toForm()}>
        กลับไปแก้ไข
      </Button>
    </>
  )
}

const limitTextOf = ({ dailyLimitSatang: limit }: ReadKey) => (limit === null ? 'ไม่จำกัด' : formatMoney(limit))
